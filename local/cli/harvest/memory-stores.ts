import type { AuthorityStore } from "../../../shared/harvest/authority/authority-store.ts";
import type { WaitingArticles } from "../../../shared/harvest/authority/waiting-articles.ts";
import type { OaiHarvestState, OaiHarvestStore } from "../../../shared/harvest/oai-state/harvest-state.ts";
import type { MarcRecord } from "../../../shared/marc/record.ts";
import type { RecordStore } from "../../../shared/records/documents/stored-record.ts";
import { setIfAbsent } from "./memory-runs.ts";

/** Stores MARC records in memory, without their metadata. */
export function memoryRecords(): Pick<
  RecordStore,
  "storeMarc" | "storeMarcs" | "loadMarc" | "save" | "setState"
> {
  const records = new Map<string, MarcRecord>();
  return {
    storeMarc: async (recordId, record) => {
      records.set(recordId, record);
      return recordId;
    },
    storeMarcs: async (page) =>
      page.map((record) => {
        const key = `#${records.size}`;
        records.set(key, record);
        return key;
      }),
    loadMarc: async (key) => {
      const record = records.get(key);
      if (record === undefined) throw new Error(`there is no record ${key}`);
      return record;
    },
    save: async () => false,
    setState: async () => undefined,
  };
}

/** Cached responses of the authority file, and the articles that wait for them. */
export function memoryAuthorities(): { authorities: AuthorityStore; waiting: WaitingArticles } {
  const known = new Map<string, Parameters<AuthorityStore["store"]>[1]>();
  const waiting = new Map<string, Awaited<ReturnType<WaitingArticles["waitingFor"]>>[number]>();
  return {
    authorities: {
      cached: async (ids) =>
        new Map(
          ids.flatMap((id) => {
            const authority = known.get(id);
            return authority === undefined ? [] : [[id, authority] as const];
          }),
        ),
      store: async (id, authority) => void setIfAbsent(known, id, authority),
    },
    waiting: {
      add: async (_runId, response, lookupIds) => {
        const { id } = response.request;
        const all = new Set([...(waiting.get(id)?.lookupIds ?? []), ...lookupIds]);
        waiting.set(id, { response, lookupIds: [...all] });
      },
      waitingFor: async (_runId, id) =>
        [...waiting.values()].filter(({ lookupIds }) => lookupIds.includes(id)),
    },
  };
}

/** The states of OAI-PMH harvests in memory. */
export function memoryOaiHarvests(states = new Map<string, OaiHarvestState>()): OaiHarvestStore {
  return {
    get: async (sourceId) => structuredClone(states.get(sourceId)),
    save: async (state) => {
      if ((states.get(state.sourceId)?.revision ?? 0) !== state.revision - 1) return false;
      states.set(state.sourceId, structuredClone(state));
      return true;
    },
  };
}
