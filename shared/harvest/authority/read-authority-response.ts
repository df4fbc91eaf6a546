import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { parseContext } from "../../runs/completion.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/gate/response.ts";
import { readAuthorityOutcome } from "./authority.ts";
import type { AuthorityStore } from "./authority-store.ts";
import type { ArticleQueue, WaitingArticles } from "./waiting-articles.ts";

const lookupContext = z.object({ runId: z.string(), lookupId: z.string() });

/** The authority file grows slowly; who is not in it today may be in a month. */
const retentionHours = 30 * 24;

/** Longer than a run, so that no run asks in vain twice; over at the next one. */
const failureRetentionHours = 6;

/** Of the articles that wait for one name. */
const maxParallelArticles = 8;

export interface ReadAuthorityPorts {
  authorities: AuthorityStore;
  waiting: WaitingArticles;
  articles: ArticleQueue;
  bodies: BodyReader;
  clock: Clock;
}

/** Reads what the authority file answered, and wakes the articles that have now all their answers. */
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
