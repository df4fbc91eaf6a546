import type { EventFilter, EventLog, LoggedEvent } from "../../records/events/event-log.ts";
import { variable } from "./environment.ts";

/** Reads the log group to which the bus delivers all events. */
export function eventLog(): EventLog {
  return {
    async between({ fromMs, toMs }, filter) {
      // The module takes 20 ms to load, and only one page needs it.
      const { logs, FilterLogEventsCommand } = await import("./event-log-sdk.ts");
      const events: LoggedEvent[] = [];
      let nextToken: string | undefined;
      do {
        const page = await logs.send(
          new FilterLogEventsCommand({
            logGroupName: variable("eventLog"),
            startTime: fromMs,
            endTime: toMs,
            ...patternOf(filter),
            ...(nextToken !== undefined && { nextToken }),
          }),
        );
        for (const { message = "", timestamp = 0 } of page.events ?? [])
          events.push(parse(message, timestamp));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return events;
    },
  };
}

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html */
function patternOf({ type, ...ids }: EventFilter): { filterPattern?: string } {
  const terms = Object.entries({ "detail-type": type, ...prefixed(ids) }).flatMap(([field, value]) =>
    value === undefined ? [] : [`($.${field} = ${JSON.stringify(value)})`],
  );
  return terms.length === 0 ? {} : { filterPattern: `{ ${terms.join(" && ")} }` };
}

function prefixed(ids: Omit<EventFilter, "type">): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(ids).map(([name, value]) => [`detail.${name}`, value]));
}

function parse(message: string, timestamp: number): LoggedEvent {
  const { id, "detail-type": type, source, time, detail } = JSON.parse(message);
  return { id, type, source, time, loggedAt: new Date(timestamp).toISOString(), detail };
}
