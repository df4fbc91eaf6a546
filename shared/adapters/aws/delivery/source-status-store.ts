import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { ThrottledError } from "../../../core/errors.ts";
import {
  type RecentRun,
  type SourceStatus,
  type SourceStatusStore,
  withRecentRun,
} from "../../../sources/source-status.ts";
import { dynamodb, getAll, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** `recentRuns` is JSON: a list of a thousand sources has it of each. */
type StatusItem = Omit<SourceStatus, "recentRuns"> & { recentRuns?: string };

/** How often runs are noted anew because another run has been noted meanwhile. */
const maxTries = 5;

/** One item per source. `oai-harvest-store.ts` keeps the state of its long harvest there, too. */
export function sourceStatusStore(): SourceStatusStore {
  const TableName = variable("sourceStatusTable");
  const items = (sourceIds: readonly string[]) =>
    // Consistent: the archive stage has just written it.
    getAll<StatusItem>(TableName, {
      Keys: [...new Set(sourceIds)].map((sourceId) => ({ sourceId })),
      ConsistentRead: true,
    });
  return {
    statuses: async (sourceIds) =>
      new Map((await items(sourceIds)).map((item) => [item.sourceId, toStatus(item)])),
    async markAdded(sourceId, at) {
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { sourceId },
          UpdateExpression: "SET addedAt = if_not_exists(addedAt, :at)",
          ExpressionAttributeValues: { ":at": at },
        }),
      );
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
        const [item] = await items([sourceId]);
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

function toStatus(item: StatusItem): SourceStatus {
  const { sourceId, addedAt, lastDeliveredAt } = item;
  return {
    sourceId,
    ...(addedAt !== undefined && { addedAt }),
    ...(lastDeliveredAt !== undefined && { lastDeliveredAt }),
    recentRuns: runsOf(item),
  };
}

function runsOf(item: StatusItem | undefined): RecentRun[] {
  return item?.recentRuns === undefined ? [] : JSON.parse(item.recentRuns);
}
