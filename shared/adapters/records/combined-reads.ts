import { cacheEachFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import { combine } from "../../core/combine.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { KnownReason } from "../../records/archive/known-reason.ts";
import type { RunStore } from "../../records/runs/run-store.ts";

/** How soon a reader sees that a run has ended. What it stores meanwhile counts as what came just before the end. */
const runCacheMs = 1000;

/** The runs, each read once in a second: a batch of articles needs the same one. */
export function recentRuns(store: RunStore, clock: Clock): RunStore {
  return { ...store, get: cacheEachFor(runCacheMs, store.get, clock) };
}

/** The articles of a batch come to the archive one by one, as their pages are loaded one after the other. */
const lingerMs = 25;

/** Articles whose keys are read together. */
const maxTogether = 20;

/** The archive, whose known keys are read in one call for articles that ask at the same time. */
export function combinedArchiveReads(
  archive: Pick<ArchiveStore, "knownReasons" | "claim">,
): Pick<ArchiveStore, "knownReasons" | "claim"> {
  const knownReasons = async (some: string[][]): Promise<ReadonlyMap<string, KnownReason>[]> => {
    const known = await archive.knownReasons(some.flat());
    return some.map((keys) => new Map([...known].filter(([key]) => keys.includes(key))));
  };
  return { ...archive, knownReasons: combine(knownReasons, maxTogether, lingerMs) };
}
