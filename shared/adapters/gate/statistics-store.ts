import { type StatisticsStore, statisticsKeptDays } from "../../web/gate/host-statistics.ts";
import { partOfDay } from "../aws/day-parts.ts";
import { ttlAfter, updateIf } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

/**
 * Partition key `day` (with the part that has the host), sort key `hostKey`: a host's days are one batch of keys. Items of
 * earlier versions are under the day alone. As a conditional write, an addition counts once.
 */
export function statisticsStore(): StatisticsStore {
  const TableName = variable("hostStatisticsTable");
  return {
    async add(hostKey, day, statistics) {
      const numbers = Object.entries(statistics);
      const expiresAt = ttlAfter(day, statisticsKeptDays + 1);
      await updateIf({
        TableName,
        Key: { day: partOfDay(day, hostKey), hostKey },
        UpdateExpression: `ADD ${numbers.map((_, index) => `#${index} :${index}`).join(", ")} SET expiresAt = :expiresAt`,
        ExpressionAttributeNames: Object.fromEntries(numbers.map(([name], index) => [`#${index}`, name])),
        ExpressionAttributeValues: {
          ":expiresAt": expiresAt,
          ...Object.fromEntries(numbers.map(([, number], index) => [`:${index}`, number])),
        },
      });
    },
  };
}
