import { getItem, putIf, putItem, ttlAfter, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { CheckRun, CheckStore } from "../check-run.ts";

/** Whoever asked for a check fetches the result within a day. */
const keptDays = 1;

/** One table: runs by their id, the latest run of each set and ARK (`latest#…`), and counts by hour (`checks#…`). */
export function checkStore(): CheckStore {
  const TableName = variable("setChecksTable");
  const latestId = (shareKey: string) => `latest#${shareKey}`;
  const get = async (id: string) =>
    (await getItem<{ run?: CheckRun }>({ TableName, Key: { id }, ConsistentRead: true }))?.run;
  return {
    get,
    async latest(shareKey) {
      const Key = { id: latestId(shareKey) };
      const item = await getItem<{ checkId: string }>({ TableName, Key, ConsistentRead: true });
      return item && get(item.checkId);
    },
    async start(run, replaced) {
      const { checkId, shareKey, startedAt } = run;
      const expiresAt = ttlAfter(startedAt, keptDays);
      // Before the item that names it. A run that misses its turn expires unread.
      await putItem({ TableName, Item: { id: checkId, run, expiresAt } });
      return putIf({
        TableName,
        Item: { id: latestId(shareKey), checkId, expiresAt },
        // Its run may have expired before it.
        ConditionExpression:
          replaced === undefined
            ? "attribute_not_exists(id) OR expiresAt <= :now"
            : "checkId = :replaced OR expiresAt <= :now",
        ExpressionAttributeValues: {
          ":now": ttlAfter(startedAt, 0),
          ...(replaced !== undefined && { ":replaced": replaced.checkId }),
        },
      });
    },
    advance: (run, pagesBefore) =>
      updateIf({
        TableName,
        Key: { id: run.checkId },
        UpdateExpression: "SET #run = :run",
        ConditionExpression: "#run.counted.#list.pages = :before AND attribute_not_exists(#run.#result)",
        ExpressionAttributeNames: { "#run": "run", "#list": "list", "#result": "result" },
        ExpressionAttributeValues: { ":run": run, ":before": pagesBefore },
      }),
    countCheck: ({ caller, hour, most }) =>
      updateIf({
        TableName,
        Key: { id: `checks#${hour}#${caller}` },
        UpdateExpression: "SET expiresAt = :expiresAt ADD #count :one",
        ConditionExpression: "attribute_not_exists(#count) OR #count < :most",
        ExpressionAttributeNames: { "#count": "count" },
        ExpressionAttributeValues: {
          ":one": 1,
          ":most": most,
          ":expiresAt": ttlAfter(`${hour}:00:00.000Z`, keptDays),
        },
      }),
  };
}
