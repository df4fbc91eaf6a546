import type { Clock } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import type { OverdueResult, OverdueSource } from "../../records/runs/overdue-sources.ts";
import type { RunMode } from "../../records/runs/run.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { StageQueue, StageRequest } from "../../records/runs/stages.ts";
import { deliveryWindowDays } from "../../records/sources/delivery-window.ts";
import type { Source } from "../../records/sources/source.ts";
import type { SourceStatus, SourceStatusStore } from "../../records/sources/source-status.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";

export interface OverdueSourcesPorts {
  sources: Pick<SourceStore, "sourcesByMode">;
  status: Pick<SourceStatusStore, "statuses">;
  clock: Pick<Clock, "now">;
}

interface OverduePorts extends OverdueSourcesPorts {
  runs: RunStore;
  next: StageQueue;
}

/** Finds the overdue sources of a run. */
export async function findOverdue({ runId }: StageRequest, ports: OverduePorts): Promise<void> {
  const run = await ports.runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  const done = await ports.runs.stageResult<OverdueResult>(runId, "overdue");
  if (done === undefined) {
    await ports.runs.finishStage(runId, "overdue", {
      overdue: await overdueForMode(run.deliveryMode, ports),
    });
  }
  await ports.next.send({ runId });
}

/**
 * Returns the overdue sources for the report of a run of the mode. Test sources are never overdue, because nobody waits
 * for them.
 */
export async function overdueForMode(mode: RunMode, ports: OverdueSourcesPorts): Promise<OverdueSource[]> {
  return mode === "LIVE" ? findOverdueSources(ports) : [];
}

/**
 * Returns all live sources that are overdue now, in the order of the configuration. A source that no run has harvested
 * yet is not overdue.
 */
export async function findOverdueSources(ports: OverdueSourcesPorts): Promise<OverdueSource[]> {
  const now = ports.clock.now();
  const { sources } = await ports.sources.sourcesByMode("LIVE");
  const statuses = await ports.status.statuses(sources.map(({ sourceId }) => sourceId));
  return sources.flatMap((source) => checkOverdue(source, statuses.get(source.sourceId), now) ?? []);
}

/**
 * Decides whether a source is overdue. It is overdue when its last delivery is longer ago than its window. If it was
 * never delivered, the day on which it was added counts instead.
 */
export function checkOverdue(
  source: Pick<Source, "sourceId" | "title" | "updateWindowDays" | "addedAt">,
  status: Pick<SourceStatus, "addedAt" | "lastDeliveredAt"> | undefined,
  now: Date,
): OverdueSource | undefined {
  const since = status?.lastDeliveredAt ?? source.addedAt ?? status?.addedAt;
  const windowDays = deliveryWindowDays(source);
  if (since === undefined || now.getTime() - Date.parse(since) <= windowDays * dayMs) return undefined;
  const { sourceId, title } = source;
  return {
    sourceId,
    title,
    windowDays,
    ...(status?.lastDeliveredAt !== undefined && { lastDeliveredAt: status.lastDeliveredAt }),
  };
}
