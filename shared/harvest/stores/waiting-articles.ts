import { getAll, getItem, ttlAfter, updateItem } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { InboundResponse } from "../../web/request/response.ts";
import type { WaitingArticles } from "../authority/waiting-articles.ts";

/** Longer than any run lasts. */
const retentionDays = 30;

const maxParallelWrites = 16;

/**
 * Two kinds of items of a run in the table of runs: `waiting#…` holds an article and the lookups that it waits for,
 * `lookup#…` the articles that wait for a lookup. Their sets only grow.
 */
export function waitingArticles(): WaitingArticles {
  const TableName = variable("runsTable");
  const update = (Key: { runId: string; part: string }, expression: string, values: object) =>
    updateItem({
      TableName,
      Key,
      UpdateExpression: expression,
      ExpressionAttributeValues: {
        ":expiresAt": ttlAfter(new Date().toISOString(), retentionDays),
        ...values,
      },
    });
  return {
    async add(runId, response, lookupIds) {
      const { id } = response.request;
      await update(
        { runId, part: `waiting#${id}` },
        "SET article = :article, expiresAt = :expiresAt ADD lookupIds :lookupIds",
        { ":article": response, ":lookupIds": new Set(lookupIds) },
      );
      await inParallel(lookupIds, maxParallelWrites, (lookupId) =>
        update(
          { runId, part: `lookup#${lookupId}` },
          "SET expiresAt = :expiresAt ADD articleIds :articleIds",
          { ":articleIds": new Set([id]) },
        ),
      );
    },
    async waitingFor(runId, lookupId) {
      const Key = { runId, part: `lookup#${lookupId}` };
      const item = await getItem<{ articleIds: Set<string> }>({ TableName, Key, ConsistentRead: true });
      const ids = [...(item?.articleIds ?? [])];
      const articles = await getAll<{ article: InboundResponse; lookupIds: Set<string> }>(TableName, {
        Keys: ids.map((id) => ({ runId, part: `waiting#${id}` })),
        ConsistentRead: true,
      });
      return articles.map(({ article, lookupIds }) => ({ response: article, lookupIds: [...lookupIds] }));
    },
  };
}
