import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { runRetentionDays } from "../../names.ts";
import type { SourceRun, SourceRunKey, SourceRunStore } from "../report/source-runs.ts";

/** Stores the runs of each source, sorted by their start. */
export function sourceRunStore(): SourceRunStore {
  const sourceRuns = table<SourceRun, SourceRun>({
    variable: "sourceRunsTable",
    key: (sourceRun) => ({ sourceId: sourceRun.sourceId, startedRun: startedRunOf(sourceRun) }),
    hidden: ["startedRun", "expiresAt"],
  });
  return {
    save: (sourceRun) =>
      sourceRuns.putItem(sourceRun, {
        ...sourceRun,
        expiresAt: ttlAfter(sourceRun.startedAt, runRetentionDays),
      }),
    latest: (sourceId, { limit, after }) =>
      sourceRuns
        .query({
          where: expression`sourceId = ${sourceId}`,
          isDescending: true,
          after: after && { sourceId, startedRun: startedRunOf(after) },
        })
        .first(limit),
  };
}

function startedRunOf({ startedAt, runId }: SourceRunKey): string {
  return `${startedAt}#${runId}`;
}
