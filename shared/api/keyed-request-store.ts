import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { deleteIf, getItem, putIf, ttlAfter } from "../adapters/aws/dynamodb.ts";
import { variable } from "../adapters/aws/environment.ts";
import type { KeptAnswer, KeyedRequest, KeyedRequestStore } from "./idempotency.ts";

/** The body of an answer is compressed: an item has at most 400 KB. */
interface RequestItem extends Omit<KeyedRequest, "answer"> {
  answer?: Omit<KeptAnswer, "body"> & { body: Uint8Array };
}

const keptDays = 1;

/** An item has at most 400 KB, with its other attributes. A longer answer is not kept: the request is done again. */
const maxBodyBytes = 380_000;

export function keyedRequestStore(): KeyedRequestStore {
  const TableName = variable("keyedRequestsTable");
  const isStillThis = ({ startedAt, fingerprint }: KeyedRequest) => ({
    ConditionExpression: "startedAt = :startedAt AND fingerprint = :fingerprint",
    ExpressionAttributeValues: { ":startedAt": startedAt, ":fingerprint": fingerprint },
  });
  const itemOf = (request: KeyedRequest) => ({
    ...request,
    expiresAt: ttlAfter(request.startedAt, keptDays),
  });
  const forget = async (request: KeyedRequest) => {
    await deleteIf({ TableName, Key: { key: request.key }, ...isStillThis(request) });
  };
  return {
    forget,
    async begin(request, staleBefore) {
      const isNew = await putIf({
        TableName,
        Item: itemOf(request),
        ConditionExpression:
          "attribute_not_exists(#key) OR (attribute_not_exists(answer) AND startedAt < :staleBefore)",
        ExpressionAttributeNames: { "#key": "key" },
        ExpressionAttributeValues: { ":staleBefore": staleBefore },
      });
      if (isNew) return undefined;
      const { key } = request;
      const item = await getItem<RequestItem>({ TableName, Key: { key }, ConsistentRead: true });
      // Another repeat failed just now and was forgotten: the caller may repeat this one, too.
      if (item === undefined) return { ...request };
      const { answer, ...known } = item;
      if (answer === undefined) return known;
      return { ...known, answer: { ...answer, body: brotliDecompressSync(answer.body).toString() } };
    },
    async finish(request, answer) {
      const body = brotliCompressSync(answer.body);
      if (body.byteLength > maxBodyBytes) return forget(request);
      await putIf({
        TableName,
        Item: { ...itemOf(request), answer: { ...answer, body } },
        ...isStillThis(request),
      });
    },
  };
}
