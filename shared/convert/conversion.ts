import { truncateText } from "../core/truncate-text.ts";
import type { MarcRecord } from "../marc/record.ts";

/** What became of an item. */
export type Conversion = Converted | Dropped;

export interface Converted {
  type: "converted";
  record: MarcRecord;
  /** The same for records with the same content; the last part of 001. */
  hash: string;
  /** For people: the first 1 000 characters. */
  title: string;
  doi?: string;
  /** When it was published, YYYY-MM-DD. */
  date?: string;
  /** Where the record points to, its own URL first: 856 $u and URL $a, each once. */
  urls: string[];
  /** The first 20, of each the first 1 000 characters; the last may count the rest. */
  warnings: string[];
}

export interface Dropped {
  type: "dropped";
  reason: DropReason;
  /** What the reason was found in: the value, the filter, the article, what it lacks. */
  detail: string;
}

/**
 * - `malformed`: not the shape of an item, a note without an item before it, or addresses without end
 * - `webpage`: the server did not know the page
 * - `excluded-item`, `excluded-record`: by a filter of the configuration
 * - `unreadable-date`: no format fits
 * - `incomplete-source`: the source's ISSN and PPN are no pair
 * - `no-url`: neither URL nor DOI
 * - `no-title`
 * - `online-first`, `early-view`: not in an issue yet
 */
export type DropReason =
  | "malformed"
  | "webpage"
  | "excluded-item"
  | "excluded-record"
  | "unreadable-date"
  | "incomplete-source"
  | "no-url"
  | "no-title"
  | "online-first"
  | "early-view";

const maxWarnings = 20;

export function buildDropped(reason: DropReason, detail: string): Dropped {
  return { type: "dropped", reason, detail: truncateText(detail) };
}

/** The first warnings, and how many more there are. */
export function truncateWarnings(warnings: string[]): string[] {
  const rest = warnings.length - maxWarnings;
  const first = warnings.slice(0, maxWarnings).map(truncateText);
  return rest <= 0 ? first : [...first, `and ${rest} more`];
}
