import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Sweep } from "../../links/sweep/sweep.ts";
import type { SweepStore } from "../../ports.ts";
import { dynamodb, expiresAfter, getItem, ifPermitted, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** A sweep that nobody can complete any more is forgotten so many days after it was due. */
const keptDays = 30;

/** One item per sweep; the finding of each check is set once. */
export function sweepStore(): SweepStore {
  const TableName = variable("linkSweepsTable");
  return {
    async open(sweep) {
      const expiresAt = expiresAfter(sweep.askedAt, keptDays);
      const isNew = await whether(
        dynamodb.send(
          new PutCommand({
            TableName,
            Item: { ...sweep, expiresAt },
            ConditionExpression: "attribute_not_exists(sweepId)",
          }),
        ),
      );
      if (isNew) return sweep;
      const Key = { sweepId: sweep.sweepId };
      return (await getItem<Sweep>({ TableName, Key, ConsistentRead: true })) ?? sweep;
    },
    async gather(sweepId, checkId, finding) {
      const updated = await ifPermitted(
        dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: { sweepId },
            UpdateExpression: "SET findings.#check = if_not_exists(findings.#check, :finding)",
            ConditionExpression: "attribute_exists(sweepId)",
            ExpressionAttributeNames: { "#check": checkId },
            ExpressionAttributeValues: { ":finding": finding },
            ReturnValues: "ALL_NEW",
          }),
        ),
      );
      // What `open` has written.
      return updated?.Attributes as Sweep | undefined;
    },
  };
}
