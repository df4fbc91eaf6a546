import type { FateStatus } from "../fate/fate.ts";

/** What is counted of links: the changes of their status, and that our own limits kept us from judging them. */
export const counted = ["activated", "suppressed", "deleted", "unjudged"] as const;
export type Counted = (typeof counted)[number];
export type Change = Exclude<Counted, "unjudged">;

/** What happened to one link on one day. The same of the same record counts once a day. */
export interface LinkChange {
  /** `YYYY-MM-DD` in the configured time zone. */
  day: string;
  collectionId: string;
  change: Counted;
  recordId: string;
  url: string;
  /** Why it could not be judged. */
  reason?: string;
}

/** Of one change of one collection and day. */
export interface ChangeFigures {
  count: number;
  /** The first of them. */
  samples: Pick<LinkChange, "recordId" | "url" | "reason">[];
}

export interface DayFigures extends Record<Counted, ChangeFigures> {
  day: string;
  collectionId: string;
}

const mostSamples = 20;

export function changeOf(status: FateStatus): Change {
  return status === "active" ? "activated" : status;
}

/** The figures of each collection and day, in the order in which they come: true counts, and samples up to a bound. */
export function figuresOf(all: LinkChange[]): DayFigures[] {
  const rows = new Map<string, DayFigures>();
  for (const { day, collectionId, change, recordId, url, reason } of all) {
    const key = `${day} ${collectionId}`;
    const row = rows.get(key) ?? {
      day,
      collectionId,
      activated: none(),
      suppressed: none(),
      deleted: none(),
      unjudged: none(),
    };
    rows.set(key, row);
    const figures = row[change];
    figures.count += 1;
    if (figures.samples.length < mostSamples) {
      figures.samples.push({ recordId, url, ...(reason !== undefined && { reason }) });
    }
  }
  return [...rows.values()];
}

function none(): ChangeFigures {
  return { count: 0, samples: [] };
}
