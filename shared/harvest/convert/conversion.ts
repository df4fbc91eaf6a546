import { budgets } from "../../core/budgets.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { MarcRecord } from "../../marc/record.ts";

/** The result of converting one item. */
export type Conversion = Converted | Dropped;

export interface Converted {
  type: "converted";
  record: MarcRecord;
  /** The hash of the content. Records with equal content have equal hashes. It is the last part of 001. */
  hash: string;
  /** The first 1,000 characters of the title, for display. */
  title: string;
  doi?: string;
  /** The first day of the date of publication, YYYY-MM-DD. */
  date?: string;
  /** The URLs in 856 $u and URL $a, each once. The record's own URL comes first. */
  urls: string[];
  /** At most 20 warnings of at most 1,000 characters each, followed by the number of further warnings. */
  warnings: string[];
}

export interface Dropped {
  type: "dropped";
  reason: DropReason;
  /** The value, filter or article that the reason refers to. */
  detail: string;
}

/**
 * The reason why an item is dropped:
 * - `malformed`: it does not have the shape of an item, it is a note without an item before it, or its URLs exceed the
 *   size limit
 * - `no-crosswalk`: it is a document whose format has no crosswalk to MARC-21
 * - `webpage`: the translation server has no translator for the page
 * - `excluded-item`, `excluded-record`: a filter of the configuration excludes it
 * - `unreadable-date`: its date contains no plausible year
 * - `incomplete-source`: the source has an ISSN without a PPN, or a PPN without an ISSN
 * - `no-url`: it has neither a URL nor a DOI
 * - `no-title`: it has no title
 * - `online-first`, `early-view`: it has not been assigned to an issue yet
 */
type DropReason =
  | "malformed"
  | "no-crosswalk"
  | "webpage"
  | "excluded-item"
  | "excluded-record"
  | "unreadable-date"
  | "incomplete-source"
  | "no-url"
  | "no-title"
  | "online-first"
  | "early-view";

export function buildDropped(reason: DropReason, detail: string): Dropped {
  return { type: "dropped", reason, detail: truncateText(detail) };
}

/** Returns the first 20 warnings, followed by the number of further warnings. */
export function truncateWarnings(warnings: string[]): string[] {
  const rest = warnings.length - budgets.warnings;
  const first = warnings.slice(0, budgets.warnings).map(truncateText);
  return rest <= 0 ? first : [...first, `and ${rest} more`];
}
