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

/** The authority file grows slowly: a name that is missing today may be there in a month. */
const retentionHours = 30 * 24;

/** Longer than a run, so that a run does not repeat a failed lookup; shorter than the time until the next one. */
const failureRetentionHours = 6;

/** Waiting articles that are delivered at the same time. */
const maxParallelArticles = 8;

interface ReadAuthorityPorts {
  authorities: AuthorityStore;
  waiting: WaitingArticles;
  articles: ArticleQueue;
  bodies: BodyReader;
  clock: Clock;
}

/** Stores the authority file's answer, and delivers the article responses again that have all their responses now. */
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
