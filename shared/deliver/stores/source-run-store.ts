import { putItem, queryFirst, ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { runRetentionDays } from "../../names.ts";
import type { SourceRun, SourceRunKey, SourceRunStore } from "../report/source-runs.ts";

/** Partition key `sourceId`, sort key `startedRun`: the start of the run and its id. */
export function sourceRunStore(): SourceRunStore {
  const TableName = variable("sourceRunsTable");
  return {
    async save(sourceRun) {
      const expiresAt = ttlAfter(sourceRun.startedAt, runRetentionDays);
      const Item = { ...sourceRun, startedRun: startedRunOf(sourceRun), expiresAt };
      await putItem({ TableName, Item });
    },
    async latest(sourceId, { limit, after }) {
      const query = {
        TableName,
        ScanIndexForward: false,
        KeyConditionExpression: "sourceId = :sourceId",
        ExpressionAttributeValues: { ":sourceId": sourceId },
        ...(after !== undefined && { ExclusiveStartKey: { sourceId, startedRun: startedRunOf(after) } }),
      };
      const items = await queryFirst<SourceRun & { startedRun: string; expiresAt: number }>(query, limit);
      return items.map(({ startedRun: _key, expiresAt: _expiry, ...sourceRun }) => sourceRun);
    },
  };
}

function startedRunOf({ startedAt, runId }: SourceRunKey): string {
  return `${startedAt}#${runId}`;
}
