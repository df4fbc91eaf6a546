import { digest } from "../../../shared/core/digest.ts";
import { mergeSourceOutcomes } from "../../../shared/records/runs/merge-source-outcomes.ts";
import type { DocumentOutcome, Run, RunMode, SourceOutcome } from "../../../shared/records/runs/run.ts";
import type { RunStore } from "../../../shared/records/runs/run-store.ts";
import type { Checkpoint } from "../../../shared/records/runs/stages.ts";
import { setIfAbsent } from "./set-if-absent.ts";

/** The stored data of runs: runs by id, everything else by keys that begin with the run id and a space. */
interface StoredRuns {
  runsById: Map<string, Run>;
  tallies: Map<string, { opened: Set<string>; closed: Set<string> }>;
  claims: Map<string, string>;
  listings: Map<string, SourceOutcome>;
  documentOutcomes: Map<string, DocumentOutcome>;
  /** The listings that resolved the articles. */
  resolvedPages: Map<string, DocumentOutcome[]>;
  /** The delivery that claimed an outcome, or a page of a long harvest. */
  deliveredPages: Map<string, string>;
  /** Stored as JSON, like stage results and parts, so that each reader gets its own copy. */
  listingResults: Map<string, string>;
  results: Map<string, string>;
  parts: Map<string, string>;
}

function emptyRuns(): StoredRuns {
  return {
    runsById: new Map(),
    tallies: new Map(),
    claims: new Map(),
    listings: new Map(),
    documentOutcomes: new Map(),
    resolvedPages: new Map(),
    deliveredPages: new Map(),
    listingResults: new Map(),
    results: new Map(),
    parts: new Map(),
  };
}

/** A run store in memory. Writes complete synchronously. */
export function memoryRuns(stored = emptyRuns()): RunStore {
  const runsOf = (mode: RunMode) =>
    [...stored.runsById.values()].filter(({ deliveryMode }) => deliveryMode === mode);
  const pageOf = (key: string) => {
    const outcome = stored.documentOutcomes.get(key);
    return outcome === undefined ? (stored.resolvedPages.get(key) ?? []) : [outcome];
  };
  return {
    create: async (run) => setIfAbsent(stored.runsById, run.runId, run),
    get: async (runId) => stored.runsById.get(runId),
    listUnfinished: async (mode) =>
      runsOf(mode).filter(({ state, harvestOf }) => state !== "finished" && harvestOf === undefined),
    listLatest: async (mode, { limit, after }) =>
      runsOf(mode)
        .filter(
          ({ startedAt, harvestOf }) => startedAt < (after?.startedAt ?? "9") && harvestOf === undefined,
        )
        .sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1))
        .slice(0, limit),
    changeState: async (runId, from, change) => {
      const run = stored.runsById.get(runId);
      if (run === undefined || !from.includes(run.state)) return false;
      const { failure: _old, ...rest } = run;
      stored.runsById.set(runId, { ...rest, ...change } as Run);
      return true;
    },
    updateTally: async (runId, name, { opened = [], closed = [] }) => {
      const tally = setIfAbsent(stored.tallies, `${runId} ${name}`, { opened: new Set(), closed: new Set() });
      for (const id of opened) tally.opened.add(id);
      for (const id of closed) tally.closed.add(id);
      return { opened: tally.opened.size, closed: tally.closed.size };
    },
    openIds: async (runId, name) => {
      const tally = stored.tallies.get(`${runId} ${name}`);
      return [...(tally?.opened ?? [])].filter((id) => !tally?.closed.has(id));
    },
    claimRequests: async (runId, sourceId, { ids, claimant }) =>
      new Set(
        ids.filter((id) => setIfAbsent(stored.claims, `${runId} ${sourceId} ${id}`, claimant) === claimant),
      ),
    saveListingOutcome: async (runId, listingId, outcome) =>
      void setIfAbsent(stored.listings, `${runId} ${outcome.sourceId} ${listingId}`, outcome),
    storeListingResult: async (runId, listingId, listing) => {
      const key = `${runId} ${listing.outcome.sourceId} ${listingId}`;
      setIfAbsent(stored.listings, key, listing.outcome);
      return JSON.parse(setIfAbsent(stored.listingResults, key, JSON.stringify(listing)));
    },
    listingResult: async (runId, sourceId, listingId) => {
      const json = stored.listingResults.get(`${runId} ${sourceId} ${listingId}`);
      return json === undefined ? undefined : JSON.parse(json);
    },
    sourceOutcomes: async (runId) => mergeSourceOutcomes(valuesOfRun(stored.listings, runId)),
    sourceOutcome: async (runId, sourceId) =>
      mergeSourceOutcomes(
        valuesOfRun(stored.listings, runId).filter((listing) => listing.sourceId === sourceId),
      )[0],
    saveOutcome: async (runId, outcome) =>
      void setIfAbsent(stored.documentOutcomes, `${runId} ${outcome.sourceId} ${outcome.requestId}`, outcome),
    saveOutcomeBatch: async (runId, { sourceId, listingId, outcomes }) =>
      void setIfAbsent(stored.resolvedPages, `${runId} ${sourceId} ${listingId}`, structuredClone(outcomes)),
    outcomeBatches: async function* (runId) {
      yield valuesOfRun(stored.documentOutcomes, runId);
      yield* valuesOfRun(stored.resolvedPages, runId);
    },
    outcomesOfSource: async function* (runId, sourceId) {
      const prefix = `${runId} ${sourceId}`;
      yield valuesOfRun(stored.documentOutcomes, prefix);
      yield* valuesOfRun(stored.resolvedPages, prefix);
    },
    listLongHarvests: async (mode) =>
      runsOf(mode).filter(({ state, harvestOf }) => state !== "finished" && harvestOf !== undefined),
    undeliveredBatches: async function* (runId) {
      for (const pageId of [...stored.documentOutcomes.keys(), ...stored.resolvedPages.keys()]) {
        if (!pageId.startsWith(`${runId} `) || stored.deliveredPages.has(pageId)) continue;
        yield { harvestId: runId, pageId, outcomes: pageOf(pageId) };
      }
    },
    loadHarvestBatch: async ({ pageId }) => pageOf(pageId),
    markBatchDelivered: async ({ pageId }, deliveryId) => void stored.deliveredPages.set(pageId, deliveryId),
    stageResult: async <T>(runId: string, stage: Checkpoint) => {
      const json = stored.results.get(`${runId} ${stage}`);
      return json === undefined ? undefined : (JSON.parse(json) as T);
    },
    finishStage: async <T>(runId: string, stage: Checkpoint, result: T) =>
      JSON.parse(setIfAbsent(stored.results, `${runId} ${stage}`, JSON.stringify(result))) as T,
    storePart: async (runId, items) => {
      const json = JSON.stringify(items);
      const key = `${runId} ${digest(json)}`;
      stored.parts.set(key, json);
      return key;
    },
    loadPart: async (key) => JSON.parse(stored.parts.get(key) ?? ""),
  };
}

/** Returns the values whose keys begin with a run id. */
export function valuesOfRun<V>(map: ReadonlyMap<string, V>, runId: string): V[] {
  return [...map].filter(([key]) => key.startsWith(`${runId} `)).map(([, value]) => value);
}
