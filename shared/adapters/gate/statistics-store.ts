import { type StatisticsStore, statisticsKeptDays } from "../../web/gate/host-statistics.ts";
import { partOfDay } from "../aws/day-parts.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { attribute, expression, list } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/**
 * Stores statistics. `day` also names the part of the day to which the host belongs, so that the days of a host are one
 * batch of keys. Items of earlier versions have the day only. An addition is a conditional write, so it counts once.
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
