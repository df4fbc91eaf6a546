import { ThrottledError } from "../../core/errors.ts";
import {
  type RecentRun,
  type SourceStatus,
  type SourceStatusStore,
  withRecentRun,
} from "../../records/sources/source-status.ts";
import { getAll, updateIf, updateItem } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

/** JSON: a list of a thousand sources has the runs of each. */
interface RunsItem {
  sourceId: string;
  recentRuns?: string;
}

/** How often runs are noted again because another run has been noted meanwhile. */
const maxTries = 5;

/** One item per source. `oai-harvest-store.ts` keeps the state of its long harvest there, too. */
export function sourceStatusStore(): SourceStatusStore {
  const TableName = variable("sourceStatusTable");
  const items = <Item>(sourceIds: readonly string[], ProjectionExpression: string) =>
    // Consistent: the archive stage has just written it.
    getAll<Item>(TableName, {
      Keys: [...new Set(sourceIds)].map((sourceId) => ({ sourceId })),
      ProjectionExpression,
      ConsistentRead: true,
    });
  const runItems = (sourceIds: readonly string[]) => items<RunsItem>(sourceIds, "sourceId, recentRuns");
  return {
    statuses: async (sourceIds) =>
      new Map(
        (await items<SourceStatus>(sourceIds, "sourceId, addedAt, lastDeliveredAt")).map((item) => [
          item.sourceId,
          item,
        ]),
      ),
    recentRuns: async (sourceIds) =>
      new Map((await runItems(sourceIds)).map((item) => [item.sourceId, runsOf(item)])),
    async markAdded(sourceId, at) {
      await updateItem({
        TableName,
        Key: { sourceId },
        UpdateExpression: "SET addedAt = if_not_exists(addedAt, :at)",
        ExpressionAttributeValues: { ":at": at },
      });
    },
    async markDelivered(sourceId, at) {
      await updateIf({
        TableName,
        Key: { sourceId },
        UpdateExpression: "SET lastDeliveredAt = :at",
        ConditionExpression: "attribute_not_exists(lastDeliveredAt) OR lastDeliveredAt < :at",
        ExpressionAttributeValues: { ":at": at },
      });
    },
    async addRun(sourceId, run) {
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const [item] = await runItems([sourceId]);
        const known = item?.recentRuns;
        const runs = JSON.stringify(withRecentRun(runsOf(item), run));
        if (runs === known) return;
        const isWritten = await updateIf({
          TableName,
          Key: { sourceId },
          UpdateExpression: "SET recentRuns = :runs",
          ConditionExpression:
            known === undefined ? "attribute_not_exists(recentRuns)" : "recentRuns = :known",
          ExpressionAttributeValues: { ":runs": runs, ...(known !== undefined && { ":known": known }) },
        });
        if (isWritten) return;
      }
      throw new ThrottledError(`others keep noting runs of ${sourceId}`, new Date(Date.now() + 1_000));
    },
  };
}

function runsOf(item: RunsItem | undefined): RecentRun[] {
  return item?.recentRuns === undefined ? [] : JSON.parse(item.recentRuns);
}
