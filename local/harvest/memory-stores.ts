import type { MarcRecord } from "../../shared/marc/record.ts";
import type { AuthorityStore, RecordStore, WaitingArticles } from "../../shared/ports.ts";
import { once } from "./memory-runs.ts";

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
