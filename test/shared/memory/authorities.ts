import { setIfAbsent } from "../../../local/cli/harvest/memory-runs.ts";
import type { AuthorityStore } from "../../../shared/harvest/authority/authority-store.ts";
import type { WaitingArticles } from "../../../shared/harvest/authority/waiting-articles.ts";
import type { Authority } from "../../../shared/harvest/convert/authorities.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import type { Write } from "./writes.ts";

interface AuthoritiesState {
  authoritiesById: Map<string, { authority: Authority; until: Date }>;
  now: Date;
}

/** What the authority file has answered, in memory. */
export function memoryAuthorities(memory: AuthoritiesState, write: Write): AuthorityStore {
  return {
    cached: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const kept = memory.authoritiesById.get(id);
          return kept !== undefined && kept.until > memory.now ? [[id, kept.authority] as const] : [];
        }),
      ),
    store: (id, authority, until) =>
      write(() => {
        const kept = memory.authoritiesById.get(id);
        if (kept === undefined || kept.until <= memory.now)
          memory.authoritiesById.set(id, { authority, until });
      }),
  };
}

/** The articles that wait for names, in memory. */
export function memoryWaiting(write: Write): WaitingArticles {
  const waitingById = new Map<string, { response: InboundResponse; lookupIds: string[] }>();
  const waiters = new Map<string, Set<string>>();
  return {
    add: async (runId, response, lookupIds) => {
      const { id } = response.request;
      await write(() => {
        const waiting = waitingById.get(`${runId} ${id}`) ?? { response, lookupIds: [] };
        const all = new Set([...waiting.lookupIds, ...lookupIds]);
        waitingById.set(`${runId} ${id}`, { response, lookupIds: [...all] });
      });
      for (const lookupId of lookupIds) {
        await write(() => void setIfAbsent(waiters, `${runId} ${lookupId}`, new Set<string>()).add(id));
      }
    },
    waitingFor: async (runId, lookupId) =>
      [...(waiters.get(`${runId} ${lookupId}`) ?? [])]
        .map((id) => waitingById.get(`${runId} ${id}`))
        .filter((waiting) => waiting !== undefined),
  };
}
