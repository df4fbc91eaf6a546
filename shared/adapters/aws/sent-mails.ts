import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { SentMails } from "../../mail/mailer.ts";
import { dynamodb, ttlAfter, updatedIf, updateIf } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** A message that asks for a mail may lie in a queue for two weeks, and in its dead-letter queue for two more. */
const retentionDays = 30;

/** One item per mail: who has had it (`sentTo`), and until when somebody is sending it (`claimedUntilMs`). */
export function sentMails(): SentMails {
  const TableName = variable("sentMailsTable");
  return {
    async claim(mailId, { nowMs, untilMs }) {
      const taken = await updatedIf({
        TableName,
        Key: { mailId },
        UpdateExpression: "SET claimedUntilMs = :until, expiresAt = if_not_exists(expiresAt, :expiresAt)",
        ConditionExpression: "attribute_not_exists(claimedUntilMs) OR claimedUntilMs <= :now",
        ExpressionAttributeValues: {
          ":until": untilMs,
          ":now": nowMs,
          ":expiresAt": ttlAfter(new Date(nowMs).toISOString(), retentionDays),
        },
      });
      // A set of texts, as `note` adds them.
      return taken && ((taken.sentTo as Set<string> | undefined) ?? new Set());
    },
    async markSent(mailId, to, untilMs) {
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { mailId },
          UpdateExpression: "ADD sentTo :to SET claimedUntilMs = :until",
          ExpressionAttributeValues: { ":to": new Set(to), ":until": untilMs },
        }),
      );
    },
    async release(mailId, untilMs) {
      await updateIf({
        TableName,
        Key: { mailId },
        UpdateExpression: "REMOVE claimedUntilMs",
        ConditionExpression: "claimedUntilMs = :until",
        ExpressionAttributeValues: { ":until": untilMs },
      });
    },
  };
}
