import type { Clock } from "../core/clock.ts";
import type { RunMode } from "../harvest/run.ts";
import type { RunStore, SourceStatus, SourceStatusStore, SourceStore, StageQueue } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { StageRequest } from "./stages.ts";

/** Days without a delivery that a source is allowed when it has no window of its own. */
const defaultWindowDays = 60;
const dayMs = 86_400_000;

export interface OverduePorts {
  runs: RunStore;
  sources: SourceStore;
  status: SourceStatusStore;
  next: StageQueue;
  clock: Clock;
}

/** A live source of which nothing has come for longer than its window. */
export interface OverdueSource {
  sourceId: string;
  title: string;
  windowDays: number;
  /** ISO 8601; absent when nothing was ever delivered. */
  lastDeliveredAt?: string;
}

export interface OverdueResult {
  overdue: OverdueSource[];
}

/** Finds the overdue sources of a run's mode; test sources are nobody's to wait for. */
export async function findOverdue({ runId }: StageRequest, ports: OverduePorts): Promise<void> {
  const run = await ports.runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  const done = await ports.runs.stageResult<OverdueResult>(runId, "overdue");
  if (done === undefined) {
    const result = { overdue: await overdueSources(run.deliveryMode, ports) };
    await ports.runs.finishStage(runId, "overdue", result);
  }
  await ports.next.send({ runId });
}

async function overdueSources(mode: RunMode, ports: OverduePorts): Promise<OverdueSource[]> {
  if (mode !== "LIVE") return [];
  const now = ports.clock.now();
  const overdue: OverdueSource[] = [];
  for (const source of (await ports.sources.sourcesOf(mode)).sources) {
    const found = judgeTimeliness(source, await ports.status.statusOf(source.sourceId), now);
    if (found !== undefined) overdue.push(found);
  }
  return overdue;
}

/** Days without a delivery that a source is allowed. */
export function windowDaysOf({ updateWindowDays }: Partial<Pick<Source, "updateWindowDays">>): number {
  return updateWindowDays || defaultWindowDays;
}

/**
 * Decides whether a source is overdue: its last delivery, or, when there was none, the day it was added, is longer ago
 * than its window.
 */
export function judgeTimeliness(
  source: Pick<Source, "sourceId" | "title" | "updateWindowDays" | "addedAt">,
  status: SourceStatus | undefined,
  now: Date,
): OverdueSource | undefined {
  const since = status?.lastDeliveredAt ?? source.addedAt ?? status?.addedAt;
  const windowDays = windowDaysOf(source);
  if (since === undefined || now.getTime() - Date.parse(since) <= windowDays * dayMs) return undefined;
  const { sourceId, title } = source;
  return {
    sourceId,
    title,
    windowDays,
    ...(status?.lastDeliveredAt !== undefined && { lastDeliveredAt: status.lastDeliveredAt }),
  };
}
