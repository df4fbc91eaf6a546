import type { Sweep, SweepStore } from "../../../links/sweep/sweep.ts";
import { getItem, putIf, ttlAfter, updatedIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** A sweep that nobody can complete any more is forgotten so many days after it was due. */
const keptDays = 30;

/** One item per sweep; the finding of each check is set once. */
export function sweepStore(): SweepStore {
  const TableName = variable("linkSweepsTable");
  return {
    async create(sweep) {
      const expiresAt = ttlAfter(sweep.askedAt, keptDays);
      const isNew = await putIf({
        TableName,
        Item: { ...sweep, expiresAt },
        ConditionExpression: "attribute_not_exists(sweepId)",
      });
      if (isNew) return sweep;
      const Key = { sweepId: sweep.sweepId };
      return (await getItem<Sweep>({ TableName, Key, ConsistentRead: true })) ?? sweep;
    },
    async addResult(sweepId, checkId, finding) {
      // What `open` has written.
      return (await updatedIf({
        TableName,
        Key: { sweepId },
        UpdateExpression: "SET findings.#check = if_not_exists(findings.#check, :finding)",
        ConditionExpression: "attribute_exists(sweepId)",
        ExpressionAttributeNames: { "#check": checkId },
        ExpressionAttributeValues: { ":finding": finding },
      })) as Sweep | undefined;
    },
  };
}
