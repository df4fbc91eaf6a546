import { type StatusChangeType, statusChangeTypes } from "../../events/events.ts";
import type { LinkStatusValue } from "../status/link-status.ts";

/**
 * What is counted: changes of link status; links that our own limits kept us from judging; and `refused`, links whose host
 * refuses us.
 */
export const linkChangeTypes = [...statusChangeTypes, "unjudged", "refused"] as const;
export type LinkChangeType = (typeof linkChangeTypes)[number];

/** A change of one link on one day. The same change of a record counts once a day. */
export interface LinkChange {
  /** `YYYY-MM-DD` in the configured time zone. */
  day: string;
  collectionId: string;
  change: LinkChangeType;
  recordId: string;
  url: string;
  /** For `unjudged` and `refused`. */
  reason?: string;
  /** For `refused`: the host key of the host that refuses us, which redirects may have led to. */
  host?: string;
}

/** One kind of change, of one collection and day. */
export interface ChangeFigures {
  count: number;
  /** The first changes, up to a bound. */
  samples: Pick<LinkChange, "recordId" | "url" | "reason">[];
}

export interface DayFigures extends Record<LinkChangeType, ChangeFigures> {
  day: string;
  collectionId: string;
}

const maxSamples = 20;

export function changeTypeOf(status: LinkStatusValue): StatusChangeType {
  return status === "active" ? "activated" : status;
}

/** The figures of each collection and day, in the order of the changes. */
export function figuresOf(all: LinkChange[]): DayFigures[] {
  const rows = new Map<string, DayFigures>();
  for (const { day, collectionId, change, recordId, url, reason } of all) {
    const key = `${day} ${collectionId}`;
    const row = rows.get(key) ?? {
      day,
      collectionId,
      activated: noChanges(),
      suppressed: noChanges(),
      deleted: noChanges(),
      unjudged: noChanges(),
      refused: noChanges(),
    };
    rows.set(key, row);
    const figures = row[change];
    figures.count += 1;
    if (figures.samples.length < maxSamples) {
      figures.samples.push({ recordId, url, ...(reason !== undefined && { reason }) });
    }
  }
  return [...rows.values()];
}

function noChanges(): ChangeFigures {
  return { count: 0, samples: [] };
}

export interface LinkStatistics {
  add(change: LinkChange): Promise<void>;
  ofDay(day: string): Promise<LinkChange[]>;
  ofCollection(collectionId: string, day: string): Promise<LinkChange[]>;
}
