import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { type StatisticsStore, statisticsKeptDays } from "../../../web/gate/host-statistics.ts";
import { dynamodb, ttlAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/**
 * Partition key `day`, sort key `hostKey`: a day's hosts are one query, a host's days one batch of keys. An addition is
 * no repeatable write: one whose answer is lost may be made again by the SDK, and so count twice.
 */
export function statisticsStore(): StatisticsStore {
  const TableName = variable("hostStatisticsTable");
  return {
    async add(hostKey, day, statistics) {
      const numbers = Object.entries(statistics);
      const expiresAt = ttlAfter(day, statisticsKeptDays + 1);
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { day, hostKey },
          UpdateExpression: `ADD ${numbers.map((_, index) => `#${index} :${index}`).join(", ")} SET expiresAt = :expiresAt`,
          ExpressionAttributeNames: Object.fromEntries(numbers.map(([name], index) => [`#${index}`, name])),
          ExpressionAttributeValues: {
            ":expiresAt": expiresAt,
            ...Object.fromEntries(numbers.map(([, number], index) => [`:${index}`, number])),
          },
        }),
      );
    },
  };
}
