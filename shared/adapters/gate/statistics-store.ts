import { type StatisticsStore, statisticsKeptDays } from "../../web/gate/host-statistics.ts";
import { partOfDay } from "../aws/day-parts.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { attribute, expression, list } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/**
 * `day` names also the part of the day that has the host: a host's days are one batch of keys. Items of earlier versions are
 * under the day alone. As a conditional write, an addition counts once.
 */
export function statisticsStore(): StatisticsStore {
  const days = table<object, { hostKey: string; day: string }>({
    variable: "hostStatisticsTable",
    key: ({ hostKey, day }) => ({ day: partOfDay(day, hostKey), hostKey }),
  });
  return {
    async add(hostKey, day, statistics) {
      const additions = Object.entries(statistics).map(
        ([name, number]) => expression`${attribute(name)} ${number}`,
      );
      const expiresAt = ttlAfter(day, statisticsKeptDays + 1);
      await days.updateIf({ hostKey, day }, expression`ADD ${list(additions)} SET expiresAt = ${expiresAt}`);
    },
  };
}
