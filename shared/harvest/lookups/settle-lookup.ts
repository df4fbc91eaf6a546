import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { parseContext } from "../../records/runs/completion.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { LookupAnswer } from "./lookup-answer.ts";
import type { LookupStore } from "./lookup-store.ts";
import type { ArticleQueue, WaitingArticles } from "./waiting-articles.ts";

const lookupContext = z.object({ runId: z.string(), lookupId: z.string() });

/**
 * The retention of a failed lookup in hours. It is longer than a run, so that a run does not repeat the lookup, and
 * shorter than the time until the next run.
 */
export const failureRetentionHours = 6;

/** The number of waiting articles that are delivered at the same time. */
const maxParallelArticles = 8;

export interface SettleLookupPorts {
  lookups: LookupStore;
  waiting: WaitingArticles;
  articles: ArticleQueue;
  bodies: BodyReader;
  clock: Clock;
}

/** Stores the answer to a lookup. Delivers again the article responses whose lookups are now complete. */
export async function settleLookup(
  { request }: InboundResponse,
  { answer, retentionHours }: { answer: LookupAnswer; retentionHours: number },
  ports: SettleLookupPorts,
): Promise<void> {
  const { runId, lookupId } = parseContext(request, lookupContext);
  const until = new Date(ports.clock.now().getTime() + retentionHours * 3_600_000);
  await ports.lookups.store(lookupId, answer, until);

  const waiting = await ports.waiting.waitingFor(runId, lookupId);
  await inParallel(waiting, maxParallelArticles, async ({ response: article, lookupIds }) => {
    const known = await ports.lookups.cached(lookupIds);
    if (lookupIds.every((id) => known.has(id))) await ports.articles.send(article);
  });
}
