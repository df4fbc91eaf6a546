import { cacheEachFor } from "../../core/cache-for.ts";
import type { Clock } from "../../core/clock.ts";
import { combine } from "../../core/combine.ts";
import type { ArchiveStore } from "../../records/archive/archive-store.ts";
import type { KnownReason } from "../../records/archive/known-reason.ts";
import type { RunStore } from "../../records/runs/run-store.ts";

/**
 * The time after which a reader sees that a run has ended. Anything it stores during that time counts as stored just
 * before the end.
 */
const runCacheMs = 1000;

/** Returns a store that reads each run at most once per second, because all articles of a batch need the same run. */
export function recentRuns(store: RunStore, clock: Clock): RunStore {
  return { ...store, get: cacheEachFor(runCacheMs, store.get, clock) };
}

/**
 * The wait for further articles. The articles of a batch reach the archive one by one, because their pages are loaded
 * one after the other.
 */
const lingerMs = 25;

/** The number of articles whose keys are read together. */
const maxTogether = 20;

/**
 * Returns the archive with combined reads: if several articles are looked up at the same time, their known keys are
 * read in one call.
 */
export function combinedArchiveReads(
  archive: Pick<ArchiveStore, "knownReasons" | "claim">,
): Pick<ArchiveStore, "knownReasons" | "claim"> {
  const knownReasons = async (some: string[][]): Promise<ReadonlyMap<string, KnownReason>[]> => {
    const known = await archive.knownReasons(some.flat());
    return some.map((keys) => new Map([...known].filter(([key]) => keys.includes(key))));
  };
  return { ...archive, knownReasons: combine(knownReasons, maxTogether, lingerMs) };
}
