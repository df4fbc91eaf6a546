import type { Clock } from "../../../shared/core/clock.ts";
import type { LookupAnswer } from "../../../shared/harvest/lookups/lookup-answer.ts";
import type { LookupStore } from "../../../shared/harvest/lookups/lookup-store.ts";
import type { WaitingArticles } from "../../../shared/harvest/lookups/waiting-articles.ts";
import type { InboundResponse } from "../../../shared/web/request/response.ts";
import { setIfAbsent } from "./set-if-absent.ts";
import { type Write, writeNow } from "./write.ts";

/** Stores answers to lookups in memory. */
export function memoryLookups(
  clock: Pick<Clock, "now">,
  known = new Map<string, { answer: LookupAnswer; until: Date }>(),
  write: Write = writeNow,
): LookupStore {
  const isKept = (id: string) => (known.get(id)?.until ?? 0) > clock.now();
  return {
    cached: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const kept = known.get(id);
          return kept !== undefined && isKept(id) ? [[id, kept.answer] as const] : [];
        }),
      ),
    store: (id, answer, until) =>
      write(() => {
        if (!isKept(id)) known.set(id, { answer, until });
      }),
  };
}

/** Stores in memory the articles that wait for answers to lookups. */
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
