import type { Clock } from "../../core/clock.ts";

/** An event as the bus delivered it. */
export interface LoggedEvent {
  id: string;
  /** The detail type. */
  type: string;
  /** The publisher: `ingather`, or another publisher. */
  source: string;
  /** When the event was published. ISO 8601 in UTC, in seconds. */
  time: string;
  /** When the log received the event. ISO 8601 in UTC. */
  loggedAt: string;
  detail: Record<string, unknown>;
}

/** Fields of an event that must have these values. Fields of the detail are given by their names. */
export interface EventFilter {
  type?: string | undefined;
  sourceId?: string | undefined;
  recordId?: string | undefined;
  collectionId?: string | undefined;
}

/** The log of all events of the bus. */
export interface EventLog {
  /** Returns the events that were logged in a span, oldest first. Both ends of the span are included. */
  between(span: { fromMs: number; toMs: number }, filter: EventFilter): Promise<LoggedEvent[]>;
}

/**
 * The position of a page in the log, which is read from the newest event backwards: the page begins after this event.
 */
type EventPosition = Pick<LoggedEvent, "id" | "loggedAt">;

/** The number of days for which the log keeps events. */
export const eventLogDays = 14;

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * The spans that are searched one after the other, backwards from the newest event. Each span ends where the previous
 * one begins.
 */
const spansMs = [2 * minute, 20 * minute, 3 * 60 * minute, day, 4 * day, eventLogDays * day];

/**
 * Returns the newest events that pass the filter, newest first. The log can only return spans of time, oldest first.
 * Therefore short spans are read first, and longer spans while events are missing.
 */
export async function newestEvents(
  { limit, after, ...filter }: EventFilter & { limit: number; after?: EventPosition | undefined },
  { eventLog, clock }: { eventLog: EventLog; clock: Pick<Clock, "now"> },
): Promise<LoggedEvent[]> {
  const endMs = after === undefined ? clock.now().getTime() : Date.parse(after.loggedAt);
  const found: LoggedEvent[] = [];
  let toMs = endMs;
  for (const span of spansMs) {
    const fromMs = endMs - span;
    const events = await eventLog.between({ fromMs, toMs }, filter);
    found.push(...events.filter((event) => after === undefined || compare(event, after) > 0).sort(compare));
    if (found.length >= limit) break;
    toMs = fromMs - 1;
  }
  return found.slice(0, limit);
}

/** Compares events so that the newest is first. Events of the same time are sorted by id. */
function compare(a: EventPosition, b: EventPosition): number {
  const byTime = Date.parse(b.loggedAt) - Date.parse(a.loggedAt);
  if (byTime !== 0) return byTime;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
