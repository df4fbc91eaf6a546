import type { SourceOutcome } from "../../../../shared/records/runs/run.ts";

/** The outcome of a source that was read, without entries unless a case needs some. */
export function sourceOutcome(more: Partial<SourceOutcome> = {}): SourceOutcome {
  return {
    sourceId: "s",
    title: "S",
    state: "read",
    entries: 0,
    known: {},
    requested: 0,
    dropped: [],
    ...more,
  };
}
