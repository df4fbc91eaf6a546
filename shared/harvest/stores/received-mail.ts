import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { getObject, pagesOf } from "../../adapters/aws/s3.ts";
import { table } from "../../adapters/aws/table.ts";
import type { ReadMessage, ReceivedMail } from "../listing/received-mail.ts";

/** The retention in days. It exceeds that of the bucket, so that no message is read twice. */
const retentionDays = 120;

interface StoredReadMessage extends ReadMessage {
  messageKey: string;
  readAt: string;
}

/**
 * Provides received messages, which are objects in a separate bucket. A message that a source has read is stored as an
 * item.
 */
export function receivedMail(): ReceivedMail {
  const readMessages = table<StoredReadMessage, { sourceId: string; messageKey: string }>({
    variable: "readMailTable",
    key: (key) => key,
  });
  const Bucket = variable("receivedMailBucket");
  const readBy = (sourceId: string) =>
    readMessages.query({ where: expression`sourceId = ${sourceId}`, isConsistent: true }).all();
  return {
    async unread(sourceId) {
      const read = new Set((await readBy(sourceId)).map(({ messageKey }) => messageKey));
      const unread: { key: string; sizeBytes: number; at: number }[] = [];
      for await (const { Contents = [] } of pagesOf({ Bucket })) {
        for (const { Key, Size = 0, LastModified } of Contents) {
          if (Key === undefined || read.has(Key)) continue;
          unread.push({ key: Key, sizeBytes: Size, at: LastModified?.getTime() ?? 0 });
        }
      }
      return unread.sort((a, b) => a.at - b.at).map(({ key, sizeBytes }) => ({ key, sizeBytes }));
    },
    message: (key) => getObject(Bucket, key),
    async markRead(sourceId, messageKey, { subject, links }) {
      const expiresAt = ttlAfter(new Date().toISOString(), retentionDays);
      const readAt = new Date().toISOString();
      await readMessages.putNew({ sourceId, messageKey }, { subject, links, readAt, expiresAt });
    },
    async readSince(sourceId, since) {
      return (await readBy(sourceId)).filter(({ readAt }) => readAt >= since);
    },
  };
}
