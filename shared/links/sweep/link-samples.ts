import type { LinkSample, Share } from "./estimate.ts";

/** Stores the random samples that estimate the share of dead links. */
export interface LinkSamples {
  add(sample: LinkSample): Promise<void>;
  /** Reads the samples of these days, both included. */
  between(collectionId: string, days: { from: string; to: string }): Promise<LinkSample[]>;
  cursor(collectionId: string): Promise<SampleCursor | undefined>;
  saveCursor(collectionId: string, cursor: SampleCursor): Promise<void>;
  /**
   * Reads the latest share over all collections.
   * @returns undefined before the first report
   */
  overall(): Promise<Share | undefined>;
  /** Stores the share over all collections. A share of an earlier period changes nothing. */
  saveOverall(share: Share): Promise<void>;
}

/** The position at which the next drawing from a collection starts. */
export interface SampleCursor {
  /** The day of the last drawing. */
  day: string;
  /** The last record drawn. */
  after: string;
  /** The number of links drawn on that day, by host. */
  hosts: Record<string, number>;
}
