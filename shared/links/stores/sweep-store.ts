import { getItem, putIf, ttlAfter, updatedIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { Sweep, SweepStore } from "../status/stored-sweep.ts";
import { isOpen } from "../sweep/sweep.ts";

/** After this many days no check can complete a sweep any more. */
const keptDays = 30;

/** Names the last sweep that was opened of a collection. */
interface LatestSweep {
  latest: string;
}

/**
 * One item per sweep; a map holds the first result of each check. One more item per collection names its latest sweep; no
 * id of a sweep begins with `latest#`.
 */
export function sweepStore(): SweepStore {
  const TableName = variable("linkSweepsTable");
  const read = <Item extends object>(sweepId: string) =>
    getItem<Item>({ TableName, Key: { sweepId }, ConsistentRead: true });
  const create = async (sweep: Sweep) => {
    const expiresAt = ttlAfter(sweep.requestedAt, keptDays);
    const isNew = await putIf({
      TableName,
      Item: { ...sweep, expiresAt },
      ConditionExpression: "attribute_not_exists(sweepId)",
    });
    return isNew ? sweep : ((await read<Sweep>(sweep.sweepId)) ?? sweep);
  };
  return {
    create,
    get: (sweepId) => read<Sweep>(sweepId),
    async open(sweep) {
      const { sweepId, collectionId, requestedAt } = sweep;
      const latestKey = `latest#${collectionId}`;
      const latest = (await read<LatestSweep>(latestKey))?.latest;
      if (latest === sweepId) return create(sweep);
      const earlier = latest === undefined ? undefined : await read<Sweep>(latest);
      if (earlier && (requestedAt < earlier.requestedAt || isOpen(earlier, requestedAt))) return undefined;
      // First, so that whoever finds its name finds the sweep, too.
      const stored = await create(sweep);
      const isLatest = await putIf({
        TableName,
        Item: { sweepId: latestKey, latest: sweepId, expiresAt: ttlAfter(requestedAt, keptDays) },
        ...(latest === undefined
          ? { ConditionExpression: "attribute_not_exists(latest)" }
          : { ConditionExpression: "latest = :latest", ExpressionAttributeValues: { ":latest": latest } }),
      });
      if (isLatest) return stored;
      // Another invocation for the same time may have been quicker.
      return (await read<LatestSweep>(latestKey))?.latest === sweepId ? stored : undefined;
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
