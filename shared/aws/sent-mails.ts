import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { SentMails } from "../ports.ts";
import { dynamodb, expiresAfter, updatedIf, updateIf } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** A message that asks for a mail may lie in a queue for two weeks, and in its dead-letter queue for two more. */
const keptDays = 30;

/** One item per mail: who has had it (`sentTo`), and until when somebody is sending it (`takenUntilMs`). */
export function sentMails(): SentMails {
  const TableName = variable("sentMailsTable");
  return {
    async take(mailId, { nowMs, untilMs }) {
      const taken = await updatedIf({
        TableName,
        Key: { mailId },
        UpdateExpression: "SET takenUntilMs = :until, expiresAt = if_not_exists(expiresAt, :expiresAt)",
        ConditionExpression: "attribute_not_exists(takenUntilMs) OR takenUntilMs <= :now",
        ExpressionAttributeValues: {
          ":until": untilMs,
          ":now": nowMs,
          ":expiresAt": expiresAfter(new Date(nowMs).toISOString(), keptDays),
        },
      });
      // A set of texts, as `note` adds them.
      return taken && ((taken.sentTo as Set<string> | undefined) ?? new Set());
    },
    async note(mailId, to, untilMs) {
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { mailId },
          UpdateExpression: "ADD sentTo :to SET takenUntilMs = :until",
          ExpressionAttributeValues: { ":to": new Set(to), ":until": untilMs },
        }),
      );
    },
    async letGo(mailId, untilMs) {
      await updateIf({
        TableName,
        Key: { mailId },
        UpdateExpression: "REMOVE takenUntilMs",
        ConditionExpression: "takenUntilMs = :until",
        ExpressionAttributeValues: { ":until": untilMs },
      });
    },
  };
}
