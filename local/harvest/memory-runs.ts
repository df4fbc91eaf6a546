import { digest } from "../../shared/core/digest.ts";
import type { Checkpoint } from "../../shared/delivery/pipeline/stages.ts";
import type { DocumentOutcome, Run, SourceOutcome } from "../../shared/harvest/run.ts";
import { mergeOutcomes } from "../../shared/harvest/source-outcome.ts";
import type { RunStore } from "../../shared/ports.ts";

/** What is kept of runs: the runs by their ids, all else by names that begin with the id of a run and a blank. */
export interface KeptRuns {
  runsById: Map<string, Run>;
  tallies: Map<string, { opened: Set<string>; closed: Set<string> }>;
  claims: Map<string, string>;
  listings: Map<string, SourceOutcome>;
  documentOutcomes: Map<string, DocumentOutcome>;
  /** JSON, as in the cloud: what is read is nobody else's. So are the results of stages and their parts. */
  settledListings: Map<string, string>;
  results: Map<string, string>;
  parts: Map<string, string>;
}

function nothingKept(): KeptRuns {
  return {
    runsById: new Map(),
    tallies: new Map(),
    claims: new Map(),
    listings: new Map(),
    documentOutcomes: new Map(),
    settledListings: new Map(),
    results: new Map(),
    parts: new Map(),
  };
}

/** Runs in memory, with the promises that `shared/ports.ts` makes. A write is done when the call returns, before it is awaited. */
export function memoryRuns(kept = nothingKept()): RunStore {
  return {
    create: async (run) => once(kept.runsById, run.runId, run),
    get: async (runId) => kept.runsById.get(runId),
    unfinished: async (mode) =>
      [...kept.runsById.values()].filter((run) => run.deliveryMode === mode && run.state !== "finished"),
    latest: async (mode, { limit, after }) =>
      [...kept.runsById.values()]
        .filter((run) => run.deliveryMode === mode && run.startedAt < (after?.startedAt ?? "9"))
        .sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1))
        .slice(0, limit),
    move: async (runId, from, change) => {
      const run = kept.runsById.get(runId);
      if (run === undefined || !from.includes(run.state)) return false;
      const { failure: _old, ...rest } = run;
      kept.runsById.set(runId, { ...rest, ...change } as Run);
      return true;
    },
    count: async (runId, name, { opened = [], closed = [] }) => {
      const tally = once(kept.tallies, `${runId} ${name}`, { opened: new Set(), closed: new Set() });
      for (const id of opened) tally.opened.add(id);
      for (const id of closed) tally.closed.add(id);
      return { opened: tally.opened.size, closed: tally.closed.size };
    },
    open: async (runId, name) => {
      const tally = kept.tallies.get(`${runId} ${name}`);
      return [...(tally?.opened ?? [])].filter((id) => !tally?.closed.has(id));
    },
    claimRequests: async (runId, sourceId, { ids, claimant }) =>
      new Set(ids.filter((id) => once(kept.claims, `${runId} ${sourceId} ${id}`, claimant) === claimant)),
    saveListing: async (runId, listingId, outcome) =>
      void once(kept.listings, `${runId} ${outcome.sourceId} ${listingId}`, outcome),
    settleListing: async (runId, listingId, listing) => {
      const key = `${runId} ${listing.outcome.sourceId} ${listingId}`;
      once(kept.listings, key, listing.outcome);
      return JSON.parse(once(kept.settledListings, key, JSON.stringify(listing)));
    },
    settledListing: async (runId, sourceId, listingId) => {
      const json = kept.settledListings.get(`${runId} ${sourceId} ${listingId}`);
      return json === undefined ? undefined : JSON.parse(json);
    },
    sources: async (runId) => mergeOutcomes(under(kept.listings, runId)),
    saveDocument: async (runId, outcome) =>
      void once(kept.documentOutcomes, `${runId} ${outcome.sourceId} ${outcome.requestId}`, outcome),
    documentPages: async function* (runId) {
      yield under(kept.documentOutcomes, runId);
    },
    stageResult: async <T>(runId: string, stage: Checkpoint) => {
      const json = kept.results.get(`${runId} ${stage}`);
      return json === undefined ? undefined : (JSON.parse(json) as T);
    },
    finishStage: async <T>(runId: string, stage: Checkpoint, result: T) =>
      JSON.parse(once(kept.results, `${runId} ${stage}`, JSON.stringify(result))) as T,
    keepPart: async (runId, items) => {
      const json = JSON.stringify(items);
      const key = `${runId} ${digest(json)}`;
      kept.parts.set(key, json);
      return key;
    },
    part: async (key) => JSON.parse(kept.parts.get(key) ?? ""),
  };
}

/** Sets a value unless there is one, and gives the one that stands. */
export function once<K, V>(map: Map<K, V>, key: K, value: V): V {
  if (!map.has(key)) map.set(key, value);
  return map.get(key) as V;
}

/** What is kept under the id of a run. */
export function under<V>(map: ReadonlyMap<string, V>, runId: string): V[] {
  return [...map].filter(([key]) => key.startsWith(`${runId} `)).map(([, value]) => value);
}
