import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { inParallel } from "../../../core/in-parallel.ts";
import type { WaitingArticles } from "../../../harvest/authority/waiting-articles.ts";
import type { InboundResponse } from "../../../web/request/response.ts";
import { dynamodb, getAll, getItem, ttlAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

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
    dynamodb.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: expression,
        ExpressionAttributeValues: {
          ":expiresAt": ttlAfter(new Date().toISOString(), retentionDays),
          ...values,
        },
      }),
    );
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
