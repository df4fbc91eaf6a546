import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { ttlAfter } from "../adapters/aws/dynamodb.ts";
import { expression } from "../adapters/aws/expression.ts";
import { table } from "../adapters/aws/table.ts";
import type { KeptAnswer, KeyedRequest, KeyedRequestStore } from "./idempotency.ts";

/** The body of a response is compressed, because an item holds at most 400 KB. */
interface RequestItem extends Omit<KeyedRequest, "answer"> {
  answer?: Omit<KeptAnswer, "body"> & { body: Uint8Array };
}

const keptDays = 1;

/**
 * An item holds at most 400 KB, including its other attributes. A longer response is not kept, so a repeat of the
 * request is performed again.
 */
const maxBodyBytes = 380_000;

export function keyedRequestStore(): KeyedRequestStore {
  const requests = table<RequestItem>({ variable: "keyedRequestsTable", key: (key) => ({ key }) });
  const isStillThis = ({ startedAt, fingerprint }: KeyedRequest) =>
    expression`startedAt = ${startedAt} AND fingerprint = ${fingerprint}`;
  const itemOf = (request: KeyedRequest) => ({
    ...request,
    expiresAt: ttlAfter(request.startedAt, keptDays),
  });
  const forget = async (request: KeyedRequest) => {
    await requests.deleteIf(request.key, isStillThis(request));
  };
  return {
    forget,
    async begin(request, staleBefore) {
      const isStale = expression`attribute_not_exists(answer) AND startedAt < ${staleBefore}`;
      const isFree = expression`attribute_not_exists(key) OR (${isStale})`;
      if (await requests.putIf(request.key, itemOf(request), isFree)) return undefined;
      const item = await requests.get(request.key);
      // Another repeat has just failed and was deleted, so the caller may repeat this one, too.
      if (item === undefined) return { ...request };
      const { answer, ...known } = item;
      if (answer === undefined) return known;
      return { ...known, answer: { ...answer, body: brotliDecompressSync(answer.body).toString() } };
    },
    async finish(request, answer) {
      const body = brotliCompressSync(answer.body);
      if (body.byteLength > maxBodyBytes) return forget(request);
      const item = { ...itemOf(request), answer: { ...answer, body } };
      await requests.putIf(request.key, item, isStillThis(request));
    },
  };
}
