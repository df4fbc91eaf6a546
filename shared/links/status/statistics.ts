import { type StatusChangeType, statusChangeTypes } from "../../records/events/events.ts";
import type { LinkStatusValue } from "./link-status.ts";

/**
 * The kinds of events that are counted: changes of link status; `unjudged` for links that could not be judged or were
 * not checked in time; and `refused` for links whose host refuses our requests.
 */
export const linkChangeTypes = [...statusChangeTypes, "unjudged", "refused"] as const;
export type LinkChangeType = (typeof linkChangeTypes)[number];

/** A change of one link on one day. If the same change of a record occurs several times on a day, it counts once. */
export interface LinkChange {
  /** `YYYY-MM-DD` in the configured time zone. */
  day: string;
  collectionId: string;
  change: LinkChangeType;
  recordId: string;
  url: string;
  /** Set for `unjudged` and `refused`. */
  reason?: string;
  /** Set for `refused`: the host key of the refusing host, which may be a host that redirects have led to. */
  host?: string;
}

/** A change of the link status of a whole collection. */
export interface CollectionChange {
  /** `YYYY-MM-DD` in the configured time zone. */
  day: string;
  collectionId: string;
  change: "collection";
  to: StatusChangeType;
  /** ISO 8601 in UTC. */
  at: string;
  reason: string;
}

/** The changes of one kind, of one collection on one day. */
export interface ChangeFigures {
  count: number;
  /** The first changes, up to a maximum number. */
  samples: Pick<LinkChange, "recordId" | "url" | "reason">[];
}

export interface DayFigures extends Record<LinkChangeType, ChangeFigures> {
  day: string;
  collectionId: string;
  /** The changes of the collection itself, oldest first. */
  collection: Pick<CollectionChange, "to" | "at" | "reason">[];
}

const maxSamples = 20;

export function changeTypeOf(status: LinkStatusValue): StatusChangeType {
  return status === "active" ? "activated" : status;
}

/** Computes the figures of each collection and day, in the order of the changes. */
export function figuresOf(all: (LinkChange | CollectionChange)[]): DayFigures[] {
  const rows = new Map<string, DayFigures>();
  for (const each of all) {
    const { day, collectionId } = each;
    const key = `${day} ${collectionId}`;
    const row = rows.get(key) ?? {
      day,
      collectionId,
      collection: [],
      activated: noChanges(),
      suppressed: noChanges(),
      deleted: noChanges(),
      unjudged: noChanges(),
      refused: noChanges(),
    };
    rows.set(key, row);
    if (each.change === "collection") {
      const { to, at, reason } = each;
      row.collection.push({ to, at, reason });
      continue;
    }
    const { change, recordId, url, reason } = each;
    const figures = row[change];
    figures.count += 1;
    if (figures.samples.length < maxSamples) {
      figures.samples.push({ recordId, url, ...(reason !== undefined && { reason }) });
    }
  }
  for (const { collection } of rows.values()) collection.sort((a, b) => (a.at < b.at ? -1 : 1));
  return [...rows.values()];
}

function noChanges(): ChangeFigures {
  return { count: 0, samples: [] };
}

export interface LinkStatistics {
  add(change: LinkChange | CollectionChange): Promise<void>;
  ofDay(day: string): Promise<(LinkChange | CollectionChange)[]>;
  ofCollection(collectionId: string, day: string): Promise<(LinkChange | CollectionChange)[]>;
}
