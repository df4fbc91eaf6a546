import type { SourceDrifts, SourceQuality } from "./drift.ts";

/** A run, in the order of the runs of a source. */
export type RunPosition = Pick<SourceQuality, "startedAt" | "runId">;

/** The quality of the records of each source: its figures by run, and its drifts. */
export interface QualityStore {
  /** Saves the figures of a run, replacing earlier figures of the same run. */
  save(figures: SourceQuality): Promise<void>;
  /** Lists the runs of a source with records, newest first: those that started before `before`, and at or after `since`. */
  latest(
    sourceId: string,
    page: { limit: number; before?: RunPosition | undefined; since?: string | undefined },
  ): Promise<SourceQuality[]>;
  /** Reads the drifts of a source; undefined before its first run with records. */
  drifts(sourceId: string): Promise<SourceDrifts | undefined>;
  /**
   * Saves the drifts of a source if they have the revision before.
   * @returns `false` when another writer has saved them meanwhile
   */
  saveDrifts(drifts: SourceDrifts): Promise<boolean>;
  /** Deletes the figures and drifts of a source. */
  forget(sourceId: string): Promise<void>;
}

/** Lists the sources with open drifts, latest first. A drift of the last few seconds may be missing. */
export type ListDriftedSources = (
  limit: number,
) => Promise<Pick<SourceDrifts, "sourceId" | "title" | "drifts">[]>;
