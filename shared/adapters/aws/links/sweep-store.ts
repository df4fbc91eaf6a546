import type { Sweep, SweepStore } from "../../../links/sweep/sweep.ts";
import { getItem, putIf, ttlAfter, updatedIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** After this many days no check can complete a sweep any more. */
const keptDays = 30;

/** One item per sweep; a map holds the first result of each check. */
export function sweepStore(): SweepStore {
  const TableName = variable("linkSweepsTable");
  return {
    async create(sweep) {
      const expiresAt = ttlAfter(sweep.requestedAt, keptDays);
      const isNew = await putIf({
        TableName,
        Item: { ...sweep, expiresAt },
        ConditionExpression: "attribute_not_exists(sweepId)",
      });
      if (isNew) return sweep;
      const Key = { sweepId: sweep.sweepId };
      return (await getItem<Sweep>({ TableName, Key, ConsistentRead: true })) ?? sweep;
    },
    async addResult(sweepId, checkId, result) {
      return updatedIf<Sweep>({
        TableName,
        Key: { sweepId },
        UpdateExpression: "SET results.#check = if_not_exists(results.#check, :result)",
        ConditionExpression: "attribute_exists(sweepId)",
        ExpressionAttributeNames: { "#check": checkId },
        ExpressionAttributeValues: { ":result": result },
      });
    },
  };
}
