import type { LinkSample, Share } from "./estimate.ts";

/** Stores the random samples that estimate the share of dead links. */
export interface LinkSamples {
  add(sample: LinkSample): Promise<void>;
  /** Both days included. */
  between(collectionId: string, days: { from: string; to: string }): Promise<LinkSample[]>;
  cursor(collectionId: string): Promise<SampleCursor | undefined>;
  saveCursor(collectionId: string, cursor: SampleCursor): Promise<void>;
  /** The latest share over all collections; undefined before the first report. */
  overall(): Promise<Share | undefined>;
  /** A share of an earlier period changes nothing. */
  saveOverall(share: Share): Promise<void>;
}

/** Where the next drawing from a collection starts. */
export interface SampleCursor {
  /** The day of the last drawing. */
  day: string;
  /** The last record drawn. */
  after: string;
  /** Links drawn that day, by host. */
  hosts: Record<string, number>;
}
