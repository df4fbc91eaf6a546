import type { Listing } from "../../shared/harvest/listing.ts";
import type { DocumentOutcome, Run, SourceOutcome } from "../../shared/harvest/run.ts";
import { mergeOutcomes } from "../../shared/harvest/source-outcome.ts";
import type { MarcRecord } from "../../shared/marc/record.ts";
import type { AuthorityStore, RecordStore, RunStore, WaitingArticles } from "../../shared/ports.ts";

/** One run in memory, with the promises that `shared/ports.ts` makes. */
export function memoryRun(): RunStore {
  let run: Run | undefined;
  const tallies = new Map<string, { opened: Set<string>; closed: Set<string> }>();
  const claims = new Map<string, string>();
  const listings = new Map<string, SourceOutcome>();
  const settled = new Map<string, Listing>();
  const documents = new Map<string, DocumentOutcome>();
  const results = new Map<string, unknown>();
  const parts = new Map<string, readonly object[]>();
  const tallyOf = (name: string) =>
    once(tallies, name, { opened: new Set<string>(), closed: new Set<string>() });
  return {
    create: async (wanted) => {
      run ??= wanted;
      return run;
    },
    get: async () => run,
    unfinished: async () => [],
    latest: async () => (run === undefined ? [] : [run]),
    move: async (_runId, from, change) => {
      if (run === undefined || !from.includes(run.state)) return false;
      run = { ...run, ...change } as Run;
      return true;
    },
    count: async (_runId, name, { opened = [], closed = [] }) => {
      const tally = tallyOf(name);
      for (const id of opened) tally.opened.add(id);
      for (const id of closed) tally.closed.add(id);
      return { opened: tally.opened.size, closed: tally.closed.size };
    },
    open: async (_runId, name) => [...tallyOf(name).opened].filter((id) => !tallyOf(name).closed.has(id)),
    claimRequests: async (_runId, _sourceId, { ids, claimant }) =>
      new Set(ids.filter((id) => once(claims, id, claimant) === claimant)),
    saveListing: async (_runId, listingId, outcome) => void once(listings, listingId, outcome),
    settleListing: async (_runId, listingId, listing) => {
      once(listings, listingId, listing.outcome);
      return once(settled, listingId, listing);
    },
    settledListing: async (_runId, _sourceId, listingId) => settled.get(listingId),
    sources: async () => mergeOutcomes([...listings.values()]),
    saveDocument: async (_runId, outcome) => void once(documents, outcome.requestId, outcome),
    documentPages: async function* () {
      yield [...documents.values()];
    },
    stageResult: async <T>(_runId: string, stage: string) => results.get(stage) as T | undefined,
    finishStage: async <T>(_runId: string, stage: string, result: T) => once(results, stage, result) as T,
    keepPart: async (_runId, items) => {
      const key = String(parts.size);
      parts.set(key, items);
      return key;
    },
    part: async <Item>(key: string) => [...(parts.get(key) ?? [])] as Item[],
  };
}

/** The MARC of records, for as long as the process lives; nothing else is known of them. */
export function memoryRecords(): Pick<RecordStore, "keepMarc" | "marc" | "save" | "setState"> {
  const records = new Map<string, MarcRecord>();
  return {
    keepMarc: async (recordId, record) => {
      records.set(recordId, record);
      return recordId;
    },
    marc: async (key) => {
      const record = records.get(key);
      if (record === undefined) throw new Error(`there is no record ${key}`);
      return record;
    },
    save: async () => false,
    setState: async () => undefined,
  };
}

/** What the authority file has answered, and the articles that wait for it. */
export function memoryAuthorities(): { authorities: AuthorityStore; waiting: WaitingArticles } {
  const known = new Map<string, Parameters<AuthorityStore["keep"]>[1]>();
  const waiting = new Map<string, Awaited<ReturnType<WaitingArticles["waitingFor"]>>[number]>();
  return {
    authorities: {
      known: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const authority = known.get(id);
            return authority === undefined ? [] : [[id, authority] as const];
          }),
        ),
      keep: async (id, authority) => void once(known, id, authority),
    },
    waiting: {
      wait: async (_runId, response, lookupIds) => {
        const { id } = response.request;
        const all = new Set([...(waiting.get(id)?.lookupIds ?? []), ...lookupIds]);
        waiting.set(id, { response, lookupIds: [...all] });
      },
      waitingFor: async (_runId, id) =>
        [...waiting.values()].filter(({ lookupIds }) => lookupIds.includes(id)),
    },
  };
}

/** Sets a value unless there is one, and gives the one that stands. */
function once<K, V>(map: Map<K, V>, key: K, value: V): V {
  if (!map.has(key)) map.set(key, value);
  return map.get(key) as V;
}
