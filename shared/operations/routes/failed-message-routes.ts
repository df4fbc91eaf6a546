import * as z from "zod";
import { count, problem, refuseUnknown, time } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import { failedMessageRetentionDays } from "../../names.ts";
import type { FailedMessageList } from "../../records/messages/failed-message.ts";

export interface FailedMessagePorts {
  failedMessages: FailedMessageList;
  /** Sends the body of a message to the queue with this name. */
  requeue(queue: string, body: string): Promise<void>;
}

const messageId = z
  .string()
  .regex(/^\d+-[\w-]{1,100}$/)
  .describe("The id of a failed message");
const params = z.strictObject({ id: messageId });

const failedMessage = z
  .strictObject({
    id: messageId,
    messageId: z.string().describe("The id of the message in the logs"),
    queue: z
      .string()
      .describe("The queue from which the message was read, and thus the stage at which it failed"),
    reason: z.string().describe("The reason for the last failure"),
    receives: count.describe("The number of times that the message was received"),
    failedAt: time,
    subject: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .describe("The subject of the message: ids such as `runId` and `sourceId`, and the host"),
    unsettled: z
      .string()
      .optional()
      .describe(
        "Set when the work that waits for the message could not be ended: the reason. That work then waits until its deadline",
      ),
  })
  .meta({ title: "FailedMessage" });

const route = routesOver<FailedMessagePorts>();

export const failedMessageSubject = {
  title: "Failed messages",
  introduction: `Messages that a function could not process in five attempts. The work that waited for such a message has ended with the reason. Failed messages are kept for ${failedMessageRetentionDays} days.`,
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/failed-messages",
      summary: "Lists failed messages, newest first",
      query: z.strictObject({
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: messageId.optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ messages: z.array(failedMessage), next }) },
      },
      handler:
        ({ failedMessages }) =>
        async (context, { query: { limit, after } }) => {
          const found = await failedMessages.list({ limit: limit + 1, after });
          const messages = found.slice(0, limit);
          const last = found.length > limit ? messages.at(-1) : undefined;
          return context.json({ messages, ...(last && { next: last.id }) });
        },
    }),
    route({
      method: "GET",
      path: "/failed-messages/{id}",
      summary: "Returns a failed message with its content",
      params,
      answers: {
        200: { description: "The message", body: failedMessage.extend({ body: z.string() }) },
        404: problem("No such message"),
      },
      handler:
        ({ failedMessages }) =>
        async (context, { params: { id } }) => {
          const found = await failedMessages.get(id);
          return found === undefined ? refuseUnknown(context, "failed message", id) : context.json(found);
        },
    }),
    route({
      method: "POST",
      path: "/failed-messages/{id}/retry",
      summary: "Sends a failed message to its queue again",
      details:
        "Retry a message when the cause of its failure is removed. Work that has ended without the message, such as a run, ignores the message; the next run reads the document again.",
      params,
      answers: {
        204: { description: "The message was sent, and is no longer listed" },
        404: problem("No such message"),
      },
      handler:
        ({ failedMessages, requeue }) =>
        async (context, { params: { id } }) => {
          const found = await failedMessages.get(id);
          if (found === undefined) return refuseUnknown(context, "failed message", id);
          await requeue(found.queue, found.body);
          await failedMessages.remove(id);
          return context.body(null, 204);
        },
    }),
    route({
      method: "DELETE",
      path: "/failed-messages/{id}",
      summary: "Discards a failed message",
      params,
      answers: { 204: { description: "Not listed" } },
      handler:
        ({ failedMessages }) =>
        async (context, { params: { id } }) => {
          await failedMessages.remove(id);
          return context.body(null, 204);
        },
    }),
  ],
} satisfies Subject<FailedMessagePorts>;
