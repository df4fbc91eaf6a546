import { endOfHour, type HostShares } from "../../web/gate/host-shares.ts";
import { getItem, putIf, ttlAfter, updateIf } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

const keptDays = 1;

/**
 * Partition key `hostKey`, sort key `part`: an hour by its end (ISO 8601), or `admitted`.
 */
export function hostShares(): HostShares {
  const TableName = variable("hostSharesTable");
  const admitted = (hostKey: string) => ({ hostKey, part: "admitted" });
  return {
    take(hostKey, now, most) {
      return updateIf({
        TableName,
        Key: { hostKey, part: endOfHour(now).toISOString() },
        UpdateExpression: "SET expiresAt = :expiresAt ADD taken :one",
        ConditionExpression: ":most > :none AND (attribute_not_exists(taken) OR taken < :most)",
        ExpressionAttributeValues: {
          ":expiresAt": ttlAfter(now.toISOString(), keptDays),
          ":one": 1,
          ":none": 0,
          ":most": most,
        },
      });
    },
    async admittedAtMs(hostKey) {
      const item = await getItem<{ atMs: number }>({
        TableName,
        Key: admitted(hostKey),
        ConsistentRead: true,
      });
      return item?.atMs;
    },
    async markAdmitted(hostKey, atMs) {
      const expiresAt = ttlAfter(new Date(atMs).toISOString(), keptDays);
      await putIf({ TableName, Item: { ...admitted(hostKey), atMs, expiresAt } });
    },
  };
}
