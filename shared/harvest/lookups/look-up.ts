import { digest } from "../../core/digest.ts";
import type { BodyWriter } from "../../web/gate/bodies.ts";
import { withStoredBody } from "../../web/gate/message-body.ts";
import type { NewRequest, RequestQueue } from "../../web/request/request.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { LookupAnswer } from "./lookup-answer.ts";
import type { LookupStore } from "./lookup-store.ts";
import type { WaitingArticles } from "./waiting-articles.ts";

export interface LookupPorts {
  lookups: LookupStore;
  waiting: WaitingArticles;
  requests: RequestQueue;
  bodies: BodyWriter;
}

/** A query to a service outside the article's host. */
export interface Lookup {
  /** Equal for equal queries, in all runs. */
  lookupId: string;
  /** The request of the query. */
  request: Omit<NewRequest, "id" | "context">;
}

/** The article that needs the answers. */
export interface LookupContext {
  runId: string;
  /** The article response. It is read again when all lookups are answered. */
  response: InboundResponse;
}

/**
 * Looks up what is not cached.
 * @returns the answers by lookup id; undefined when some had to be requested. The last answer then delivers the article
 * response to its reader again
 */
export async function lookUp(
  lookups: readonly Lookup[],
  { runId, response }: LookupContext,
  ports: LookupPorts,
): Promise<ReadonlyMap<string, LookupAnswer> | undefined> {
  const known = await ports.lookups.cached(lookups.map(({ lookupId }) => lookupId));
  const missing = lookups.filter(({ lookupId }) => !known.has(lookupId));
  if (missing.length === 0) return known;

  const missingIds = missing.map(({ lookupId }) => lookupId);
  await ports.waiting.add(runId, await withStoredBody(response, ports.bodies), missingIds);
  // An answer that arrived before the article was registered as waiting would not deliver the article again.
  // Therefore, the cache is read again.
  const knownMeanwhile = await ports.lookups.cached(missingIds);
  const unanswered = missing.filter(({ lookupId }) => !knownMeanwhile.has(lookupId));
  if (unanswered.length === 0) return new Map([...known, ...knownMeanwhile]);
  await ports.requests.send(
    unanswered.map(({ lookupId, request }) => ({
      id: digest(runId, lookupId),
      ...request,
      context: { runId, lookupId },
    })),
  );
  return undefined;
}
