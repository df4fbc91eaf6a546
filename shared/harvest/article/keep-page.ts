// Input: the last response to an article request, after its conversion. Output: a stored page, from which the article
// can be converted again. Called by read-article-response.ts.

import type { Run } from "../../records/runs/run.ts";
import type { BodyReader } from "../../web/gate/bodies.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import { translationOptionsOf } from "../../web/translation/translation-options.ts";
import type { LookupAnswer } from "../lookups/lookup-answer.ts";
import type { LookupStore } from "../lookups/lookup-store.ts";
import { type PageStore, pageKeyOf } from "../stored-pages/stored-page.ts";
import type { ArticleContext } from "./article-context.ts";

interface KeepPagePorts {
  pages: Pick<PageStore, "keep">;
  bodies: BodyReader;
}

/**
 * Keeps the response with all bodies and answers from which its articles were converted. A repeat keeps the same.
 * @param from.run the run that reads the page
 */
export async function keepPage(
  { request, outcome }: InboundResponse,
  from: { context: ArticleContext; run: Run; answers: ReadonlyMap<string, LookupAnswer> },
  { pages, bodies }: KeepPagePorts,
): Promise<void> {
  const { sourceId, entry, linked, translation } = from.context;
  const kept = new Map<string, Uint8Array>();
  // The key of a body may be a `data:` URL that contains it, so the bodies get new keys.
  const keep = async (key: string, bodyKey: string) => {
    kept.set(key, await bodies.load(bodyKey));
    return { bodyKey: key };
  };
  const { choicesKey } = translationOptionsOf(request) ?? {};
  const response: InboundResponse = {
    request: {
      ...request,
      ...(choicesKey !== undefined && {
        transport: { ...request.transport, choicesKey: (await keep("choices", choicesKey)).bodyKey },
      }),
      context: {
        ...request.context,
        ...(linked && {
          linked: { ...linked, page: { ...linked.page, ...(await keep("page", linked.page.bodyKey)) } },
        }),
        ...(translation && { translation: await keep("translation", translation.bodyKey) }),
      },
    },
    outcome:
      outcome.type === "answered" && outcome.bodyKey !== undefined
        ? { ...outcome, ...(await keep("answer", outcome.bodyKey)) }
        : outcome,
  };
  const { run, answers } = from;
  const page = { readAt: run.startedAt, response, bodies: kept, answers };
  await pages.keep(pageKeyOf(sourceId, entry), page);
}

/** Returns the store with the answers that were read from it. */
export function withReadAnswers(lookups: LookupStore): {
  lookups: LookupStore;
  answers: ReadonlyMap<string, LookupAnswer>;
} {
  const answers = new Map<string, LookupAnswer>();
  return {
    answers,
    lookups: {
      store: lookups.store,
      async cached(lookupIds) {
        const found = await lookups.cached(lookupIds);
        for (const [id, answer] of found) answers.set(id, answer);
        return found;
      },
    },
  };
}
