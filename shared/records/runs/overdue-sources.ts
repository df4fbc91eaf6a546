import type { SourceStatusStore } from "../sources/source-status.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** A live source that has not been delivered for longer than its window. */
export interface OverdueSource {
  sourceId: string;
  title: string;
  windowDays: number;
  /** ISO 8601; absent when the source was never delivered. */
  lastDeliveredAt?: string;
}

export interface OverdueResult {
  overdue: OverdueSource[];
}

/** Returns the overdue sources that the last run found, without those delivered since then. */
export async function stillOverdue(
  lastRun: Run | undefined,
  { runs, status }: { runs: Pick<RunStore, "stageResult">; status: Pick<SourceStatusStore, "statuses"> },
): Promise<OverdueSource[]> {
  if (lastRun === undefined) return [];
  const { overdue = [] } = (await runs.stageResult<OverdueResult>(lastRun.runId, "overdue")) ?? {};
  const statuses = await status.statuses(overdue.map(({ sourceId }) => sourceId));
  return overdue.filter(
    ({ sourceId, lastDeliveredAt = "" }) =>
      (statuses.get(sourceId)?.lastDeliveredAt ?? "") <= lastDeliveredAt,
  );
}
