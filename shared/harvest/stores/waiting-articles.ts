import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { WaitingArticles } from "../lookups/waiting-articles.ts";

/** The retention in days, which exceeds the duration of any run. */
const retentionDays = 30;

const maxParallelWrites = 16;

/** The sort key: the run, and the article or the lookup. */
interface PartKey {
  runId: string;
  id: string;
}

/**
 * Stores two kinds of items of a run in the table of runs. An item `waiting#…` contains an article and the lookups for
 * which it waits. An item `lookup#…` contains the articles that wait for a lookup. The sets in both only grow.
 */
export function waitingArticles(): WaitingArticles {
  const waiting = table<{ article: InboundResponse; lookupIds: Set<string> }, PartKey>({
    variable: "runsTable",
    key: ({ runId, id }) => ({ runId, part: `waiting#${id}` }),
  });
  const lookups = table<{ articleIds: Set<string> }, PartKey>({
    variable: "runsTable",
    key: ({ runId, id }) => ({ runId, part: `lookup#${id}` }),
  });
  return {
    async add(runId, response, lookupIds) {
      const { id } = response.request;
      const expiresAt = ttlAfter(new Date().toISOString(), retentionDays);
      await waiting.updateItem(
        { runId, id },
        expression`SET article = ${response}, expiresAt = ${expiresAt} ADD lookupIds ${new Set(lookupIds)}`,
      );
      await inParallel(lookupIds, maxParallelWrites, (lookupId) =>
        lookups.updateItem(
          { runId, id: lookupId },
          expression`SET expiresAt = ${expiresAt} ADD articleIds ${new Set([id])}`,
        ),
      );
    },
    async waitingFor(runId, lookupId) {
      const ids = (await lookups.get({ runId, id: lookupId }))?.articleIds ?? new Set();
      const articles = await waiting.getMany([...ids].map((id) => ({ runId, id })));
      return articles.map(({ article, lookupIds }) => ({ response: article, lookupIds: [...lookupIds] }));
    },
  };
}
