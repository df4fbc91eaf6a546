import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { SentMails } from "../../mail/mailer.ts";
import { dynamodb, getItem, ttlAfter } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** A message that requests a mail may stay in a queue for two weeks, and in its dead-letter queue for two more. */
const retentionDays = 30;

/** One item per mail: the addresses that have had it (`sentTo`, a string set). */
export function sentMails(): SentMails {
  const TableName = variable("sentMailsTable");
  return {
    async recipients(mailId) {
      const item = await getItem<{ sentTo?: Set<string> }>({
        TableName,
        Key: { mailId },
        ConsistentRead: true,
      });
      return item?.sentTo ?? new Set();
    },
    async markSent(mailId, to, at) {
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { mailId },
          UpdateExpression: "ADD sentTo :to SET expiresAt = if_not_exists(expiresAt, :expiresAt)",
          ExpressionAttributeValues: {
            ":to": new Set(to),
            ":expiresAt": ttlAfter(at.toISOString(), retentionDays),
          },
        }),
      );
    },
  };
}
