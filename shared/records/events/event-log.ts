import type { Clock } from "../../core/clock.ts";

/** An event as the bus delivered it. */
export interface LoggedEvent {
  id: string;
  /** The detail type. */
  type: string;
  /** Who published it: `ingather`, or another publisher. */
  source: string;
  /** When it was published. ISO 8601, UTC, in seconds. */
  time: string;
  /** When the log had it. ISO 8601, UTC. */
  loggedAt: string;
  detail: Record<string, unknown>;
}

/** Fields of an event that must have these values; those of the detail by their names. */
export interface EventFilter {
  type?: string | undefined;
  sourceId?: string | undefined;
  recordId?: string | undefined;
  collectionId?: string | undefined;
}

/** The log of all events of the bus. */
export interface EventLog {
  /** The events that were logged in a span, both ends included, oldest first. */
  between(span: { fromMs: number; toMs: number }, filter: EventFilter): Promise<LoggedEvent[]>;
}

/** Where a page of the log begins: after this event, in the order from the newest on. */
type EventPosition = Pick<LoggedEvent, "id" | "loggedAt">;

/** How long the log keeps events. */
export const eventLogDays = 14;

const minute = 60_000;
const day = 24 * 60 * minute;

/** The spans that are searched one after the other, back from the newest: each ends where the one before begins. */
const spansMs = [2 * minute, 20 * minute, 3 * 60 * minute, day, 4 * day, eventLogDays * day];

/**
 * The newest events that pass the filter, newest first. The log answers spans of time only, oldest first: so short spans are
 * read first, and longer ones while events are missing.
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

/** Newest first; events of the same time by their ids. */
function compare(a: EventPosition, b: EventPosition): number {
  const byTime = Date.parse(b.loggedAt) - Date.parse(a.loggedAt);
  if (byTime !== 0) return byTime;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}
