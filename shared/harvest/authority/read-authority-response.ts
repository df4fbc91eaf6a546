import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { parseContext } from "../../records/runs/completion.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { readAuthorityOutcome } from "./authority.ts";
import type { AuthorityStore } from "./authority-store.ts";
import type { ArticleQueue, WaitingArticles } from "./waiting-articles.ts";

const lookupContext = z.object({ runId: z.string(), lookupId: z.string() });

/**
 * The retention of a successful lookup. The authority file grows slowly, so a missing name may be found after a month.
 */
const retentionHours = 30 * 24;

/**
 * The retention of a failed lookup. It is longer than a run, so that a run does not repeat the lookup, and shorter than
 * the time until the next run.
 */
const failureRetentionHours = 6;

/** The number of waiting articles that are delivered at the same time. */
const maxParallelArticles = 8;

interface ReadAuthorityPorts {
  authorities: AuthorityStore;
  waiting: WaitingArticles;
  articles: ArticleQueue;
  bodies: BodyReader;
  clock: Clock;
}

/** Stores a response of the authority file. Delivers again the article responses whose lookups are now complete. */
export async function readAuthorityResponse(
  response: InboundResponse,
  ports: ReadAuthorityPorts,
): Promise<void> {
  const { runId, lookupId } = parseContext(response.request, lookupContext);
  const authority = await readAuthorityOutcome(response.outcome, ports.bodies);
  const hours = authority.type === "failed" ? failureRetentionHours : retentionHours;
  await ports.authorities.store(
    lookupId,
    authority,
    new Date(ports.clock.now().getTime() + hours * 3_600_000),
  );

  const waiting = await ports.waiting.waitingFor(runId, lookupId);
  await inParallel(waiting, maxParallelArticles, async ({ response: article, lookupIds }) => {
    const known = await ports.authorities.cached(lookupIds);
    if (lookupIds.every((id) => known.has(id))) await ports.articles.send(article);
  });
}
