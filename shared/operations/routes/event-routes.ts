import * as z from "zod";
import { time } from "../../api/answer.ts";
import { afterText, next, pageLimit } from "../../api/paging.ts";
import { routesOver, type Subject } from "../../api/route.ts";
import type { Clock } from "../../core/clock.ts";
import { InputError } from "../../core/errors.ts";
import { type EventLog, eventLogDays, newestEvents } from "../../records/events/event-log.ts";

export interface EventPorts {
  eventLog: EventLog;
  clock: Pick<Clock, "now">;
}

const loggedEvent = z
  .strictObject({
    id: z.string(),
    type: z.string().describe("The detail type, such as `record.delivered`"),
    source: z.string().describe("`ingather`, or another publisher"),
    time: time.describe("When the event was published, to the second"),
    loggedAt: time.describe("When the event was logged"),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ title: "LoggedEvent" });

const id = (of: string) => z.string().min(1).max(300).optional().describe(`Only events of this ${of}`);

const route = routesOver<EventPorts>();

export const eventSubject = {
  title: "Events",
  introduction:
    `The [events](events.md) of all publishers on the bus, kept for ${eventLogDays} days. An event is listed some seconds after ` +
    "its publication. To react to events, subscribe to the bus instead.",
  audience: "operator",
  routes: [
    route({
      method: "GET",
      path: "/events",
      summary: "Lists events, newest first",
      query: z.strictObject({
        type: z
          .string()
          .regex(/^[\w.-]{1,128}$/, "must be a detail type, such as record.delivered")
          .optional()
          .describe("Only events of this detail type"),
        sourceId: id("source"),
        recordId: id("record"),
        collectionId: id("collection"),
        limit: pageLimit({ most: 200, otherwise: 50 }),
        after: z.string().min(1).max(400).optional().describe(afterText),
      }),
      answers: {
        200: { description: "A page", body: z.strictObject({ events: z.array(loggedEvent), next }) },
      },
      handler:
        ({ eventLog, clock }) =>
        async (context, { query: { limit, after, ...filter } }) => {
          const found = await newestEvents(
            { ...filter, limit: limit + 1, after: parseAfter(after) },
            { eventLog, clock },
          );
          const events = found.slice(0, limit);
          const last = found.length > limit ? events.at(-1) : undefined;
          return context.json({ events, ...(last && { next: `${last.loggedAt},${last.id}` }) });
        },
    }),
  ],
} satisfies Subject<EventPorts>;

/**
 * Parses a cursor.
 * @throws InputError when it is invalid
 */
function parseAfter(after: string | undefined): { loggedAt: string; id: string } | undefined {
  if (after === undefined) return undefined;
  const [at = "", eventId = ""] = after.split(/,(.*)/s);
  if (!time.safeParse(at).success || eventId === "")
    throw new InputError("after", after, "must be the `next` of a page of events");
  return { loggedAt: at, id: eventId };
}
