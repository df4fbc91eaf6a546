import type { Clock } from "../../../shared/core/clock.ts";
import type { AuthorityStore } from "../../../shared/harvest/authority/authority-store.ts";
import type { WaitingArticles } from "../../../shared/harvest/authority/waiting-articles.ts";
import type { Authority } from "../../../shared/harvest/convert/authorities.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { setIfAbsent } from "./set-if-absent.ts";
import { type Write, writeNow } from "./write.ts";

/** Stores responses of the authority file in memory. */
export function memoryAuthorities(
  clock: Pick<Clock, "now">,
  known = new Map<string, { authority: Authority; until: Date }>(),
  write: Write = writeNow,
): AuthorityStore {
  const isKept = (id: string) => (known.get(id)?.until ?? 0) > clock.now();
  return {
    cached: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const kept = known.get(id);
          return kept !== undefined && isKept(id) ? [[id, kept.authority] as const] : [];
        }),
      ),
    store: (id, authority, until) =>
      write(() => {
        if (!isKept(id)) known.set(id, { authority, until });
      }),
  };
}

/** Stores in memory the articles that wait for responses of the authority file. */
export function memoryWaiting(write: Write = writeNow): WaitingArticles {
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
