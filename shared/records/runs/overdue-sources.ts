import type { SourceStatusStore } from "../sources/source-status.ts";
import type { Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** A live source without a delivery for longer than its window. */
export interface OverdueSource {
  sourceId: string;
  title: string;
  windowDays: number;
  /** ISO 8601; absent when it was never delivered. */
  lastDeliveredAt?: string;
}

export interface OverdueResult {
  overdue: OverdueSource[];
}

/** The overdue sources that the last run has found, without those delivered since. */
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
