import { inParallel } from "../../core/in-parallel.ts";
import type { Run } from "../../records/runs/run.ts";
import type { OutcomeCounts } from "../../records/runs/source-outcomes.ts";
import type { SourceStatusStore } from "../../records/sources/source-status.ts";
import type { RunReport } from "./report.ts";
import { outcomeCounts, type SourceReport } from "./source-report.ts";

/** The results of one source in a run: the figures of its report. */
export interface SourceRun extends Pick<Run, "runId" | "deliveryMode" | "startedAt">, OutcomeCounts {
  sourceId: string;
  state: SourceReport["state"];
  /** The reason why the source failed, or a note. */
  reason?: string;
  entries: number;
  requested: number;
  converted: number;
  released: number;
}

/** The runs of each source, with one entry per run that has been reported. */
export interface SourceRunStore {
  /** Saves the figures of a run, replacing earlier figures of the same run. */
  save(sourceRun: SourceRun): Promise<void>;
  /** Lists the runs of a source that started before the run `after`, newest first. */
  latest(sourceId: string, page: { limit: number; after?: SourceRunKey | undefined }): Promise<SourceRun[]>;
}

export type SourceRunKey = Pick<SourceRun, "startedAt" | "runId">;

const maxReasonChars = 1000;
const maxParallelWrites = 16;

/** Saves the results of a run by source: its figures, and their summary for lists of sources. */
export async function saveSourceRuns(
  { run, sources }: Pick<RunReport, "run" | "sources">,
  ports: { sourceRuns: Pick<SourceRunStore, "save">; status: Pick<SourceStatusStore, "addRun"> },
): Promise<void> {
  await inParallel(sources, maxParallelWrites, async (source) => {
    const sourceRun = sourceRunOf(run, source);
    await ports.sourceRuns.save(sourceRun);
    const { sourceId, runId, startedAt, state, delivered } = sourceRun;
    await ports.status.addRun(sourceId, { runId, startedAt, state, delivered });
  });
}

export function sourceRunOf({ runId, deliveryMode, startedAt }: Run, source: SourceReport): SourceRun {
  const { sourceId, state, reason, entries, requested, converted, released } = source;
  return {
    sourceId,
    runId,
    deliveryMode,
    startedAt,
    state,
    ...(reason !== undefined && { reason: reason.slice(0, maxReasonChars) }),
    entries,
    requested,
    converted,
    released,
    ...outcomeCounts(source),
  };
}
