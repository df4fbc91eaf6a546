import type { ListArguments } from "../../formats/oai/request-url.ts";

/** What a harvest lists. It stays as it was planned when its source is changed meanwhile. */
export interface ListPlan {
  /** The source's URL. */
  baseUrl: string;
  /** See `listKeyOf`. */
  listKey: string;
  args: ListArguments;
  /** Several sets: each is a list of its own. */
  sets?: string[];
  /** Periods by datestamp: each is a list of its own. */
  slices?: ListSlices;
  /**
   * Only identifiers and datestamps are listed. `changesFrom`: where the next list of changes begins, as this one does not
   * read what has changed.
   */
  identifiers?: { changesFrom: string };
  /** All records, not only changed ones. */
  isFull: boolean;
  /** Records that a complete list does not have are gone. */
  findsDeletions: boolean;
  /** Whether a list without records is suspicious. */
  expectsRecords: boolean;
}

/** The periods of a list. */
export interface ListSlices {
  unit: "month" | "year";
  /** The first month, `YYYY-MM`: earlier datestamps are of the first period, too. */
  first: string;
  /** A day of the last period, `YYYY-MM-DD`. */
  last: string;
  isInSeconds: boolean;
}
