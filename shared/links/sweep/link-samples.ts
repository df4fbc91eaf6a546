import type { LinkSample } from "./estimate.ts";

/** The random samples by which dead links are estimated. */
export interface LinkSamples {
  add(sample: LinkSample): Promise<void>;
  /** Of the days from the first to the last, both included. */
  between(collectionId: string, days: { from: string; to: string }): Promise<LinkSample[]>;
  cursor(collectionId: string): Promise<SampleCursor | undefined>;
  saveCursor(collectionId: string, cursor: SampleCursor): Promise<void>;
}

/** Where the drawing from a collection has come to. */
export interface SampleCursor {
  /** The day of the last drawing. */
  day: string;
  /** The last record drawn. */
  after: string;
  /** How many links of each host were drawn that day. */
  hosts: Record<string, number>;
}
