import { getItem, putIf, queryPage, queryPages, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { capturedUrlsByWantedIndex } from "../../names.ts";
import { type CapturedUrls, type JobUrl, urlIdOf } from "../jobs/captured-urls.ts";

/** Items that are written at the same time. */
const parallelWrites = 8;

/**
 * One table: the URLs of jobs, and how many queries a path has (`path#…`). An item names its job in `wantedBy` while it
 * is wanted.
 */
export function capturedUrls(): CapturedUrls {
  const TableName = variable("capturedUrlsTable");
  const keyOf = (jobId: number, urlId: string) => ({ jobId: String(jobId), urlId });
  return {
    get: (jobId, urlId) => getItem<JobUrl>({ TableName, Key: keyOf(jobId, urlId), ConsistentRead: true }),
    async add(jobId, wanted) {
      const open = await inParallel([...wanted], parallelWrites, async (each) => {
        const key = keyOf(jobId, urlIdOf(jobId, each.url));
        const isWanted = await putIf({
          TableName,
          Item: { ...key, ...each, state: "wanted", wantedBy: key.jobId },
          // Of the same page again: the request for it may have been lost.
          ConditionExpression:
            each.via === undefined
              ? "attribute_not_exists(urlId) OR #state = :wanted"
              : "attribute_not_exists(urlId) OR (#state = :wanted AND via = :via)",
          ExpressionAttributeNames: { "#state": "state" },
          ExpressionAttributeValues: {
            ":wanted": "wanted",
            ...(each.via !== undefined && { ":via": each.via }),
          },
        });
        return isWanted ? [each] : [];
      });
      return open.flat();
    },
    countQuery: (jobId, path, most) =>
      updateIf({
        TableName,
        Key: keyOf(jobId, `path#${digest(path)}`),
        UpdateExpression: "ADD #count :one",
        ConditionExpression: "attribute_not_exists(#count) OR #count < :most",
        ExpressionAttributeNames: { "#count": "count" },
        ExpressionAttributeValues: { ":one": 1, ":most": most },
      }),
    async noteUnread(jobId, id, at) {
      await updateIf({
        TableName,
        Key: keyOf(jobId, id),
        UpdateExpression: "SET #state = :unread, unreadAt = :at REMOVE wantedBy",
        ConditionExpression: "#state IN (:wanted, :unread)",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":wanted": "wanted", ":unread": "unread", ":at": at.toISOString() },
      });
    },
    finish: (jobId, urlId, outcome) =>
      updateIf({
        TableName,
        Key: keyOf(jobId, urlId),
        UpdateExpression: "SET #state = :done, #outcome = :outcome REMOVE wantedBy, unreadAt",
        ConditionExpression: "#state IN (:wanted, :unread)",
        ExpressionAttributeNames: { "#state": "state", "#outcome": "outcome" },
        ExpressionAttributeValues: {
          ":done": "done",
          ":wanted": "wanted",
          ":unread": "unread",
          ":outcome": outcome,
        },
      }),
    async awaitInterims(jobId, wanted) {
      await inParallel([...wanted], parallelWrites, async ([id, each]) => {
        const key = keyOf(jobId, id);
        await putIf({
          TableName,
          Item: { ...key, ...each, state: "wanted", wantedBy: key.jobId },
          ConditionExpression: "attribute_not_exists(urlId)",
        });
      });
    },
    async addInterim(jobId, id, exchange) {
      await putIf({
        TableName,
        Item: { ...keyOf(jobId, id), ...exchange, state: "done" },
        ConditionExpression: "attribute_not_exists(urlId) OR #state IN (:wanted, :unread)",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":wanted": "wanted", ":unread": "unread" },
      });
    },
    async hasWanted(jobId) {
      const { items } = await queryPage({
        TableName,
        IndexName: capturedUrlsByWantedIndex,
        KeyConditionExpression: "wantedBy = :job",
        ExpressionAttributeValues: { ":job": String(jobId) },
        Limit: 1,
      });
      return items.length > 0;
    },
    pages: (jobId) =>
      queryPages<JobUrl & { urlId: string }>({
        TableName,
        KeyConditionExpression: "jobId = :job AND begins_with(urlId, :urls)",
        ExpressionAttributeValues: { ":job": String(jobId), ":urls": "capture-" },
        ConsistentRead: true,
      }),
  };
}
