import { randomUUID } from "node:crypto";
import { failedMessageRetentionDays } from "../../names.ts";
import type {
  FailedMessage,
  FailedMessageList,
  FailedMessageSummary,
  FailedMessages,
} from "../../records/messages/failed-message.ts";
import { ttlAfter } from "./dynamodb.ts";
import { expression } from "./expression.ts";
import { table } from "./table.ts";

const variable = "failedMessagesTable";
const hidden = ["kind", "expiresAt"];

/** Stores messages that failed, and attempts that have begun but not ended. Both expire. */
export function failedMessages(): FailedMessages & FailedMessageList {
  const messages = table<FailedMessage>({ variable, key: (id) => ({ kind: "failed", id }), hidden });
  const tries = table<{ tries: Set<string> }>({ variable, key: (id) => ({ kind: "try", id }), hidden });
  const summaries = [
    "id",
    "messageId",
    "queue",
    "reason",
    "receives",
    "failedAt",
    "subject",
    "unsettled",
  ] as const satisfies (keyof FailedMessageSummary)[];
  return {
    async save(message) {
      await messages.putItem(message.id, {
        ...message,
        expiresAt: ttlAfter(message.failedAt, failedMessageRetentionDays),
      });
    },
    async beginTry(id) {
      const expiresAt = ttlAfter(new Date().toISOString(), failedMessageRetentionDays);
      // Counted by tokens, so that a try that the SDK writes twice counts once.
      const change = expression`SET expiresAt = ${expiresAt} ADD tries ${new Set([randomUUID()])}`;
      return (await tries.updateItem(id, change, "ALL_NEW"))?.tries.size ?? 1;
    },
    endTry: (id) => tries.deleteItem(id),
    list: ({ limit, after }) =>
      messages
        .query<FailedMessageSummary>({
          where: expression`kind = ${"failed"}`,
          attributes: summaries,
          isConsistent: true,
          isDescending: true,
          after: after === undefined ? undefined : { kind: "failed", id: after },
        })
        .first(limit),
    get: (id) => messages.get(id),
    remove: (id) => messages.deleteIf(id, expression`attribute_exists(id)`),
  };
}
