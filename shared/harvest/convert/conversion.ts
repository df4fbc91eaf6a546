import { budgets } from "../../core/budgets.ts";
import { truncateText } from "../../core/truncate-text.ts";
import type { MarcRecord } from "../../marc/record.ts";

/** The result of converting one item. */
export type Conversion = Converted | Dropped;

export interface Converted {
  type: "converted";
  record: MarcRecord;
  /** Equal for records with equal content; the last part of 001. */
  hash: string;
  /** The first 1,000 characters, for display. */
  title: string;
  doi?: string;
  /** The date of publication, YYYY-MM-DD. */
  date?: string;
  /** 856 $u and URL $a, each once; the record's own URL first. */
  urls: string[];
  /** At most 20, each at most 1,000 characters, then the number of further ones. */
  warnings: string[];
}

export interface Dropped {
  type: "dropped";
  reason: DropReason;
  /** The value, filter or article that the reason refers to. */
  detail: string;
}

/**
 * - `malformed`: not the shape of an item, a note without an item before it, or URLs beyond the size limit
 * - `no-crosswalk`: a document whose format has no crosswalk to MARC-21
 * - `webpage`: the translation server has no translator for the page
 * - `excluded-item`, `excluded-record`: excluded by a filter of the configuration
 * - `unreadable-date`: no configured date format matches, and there is not exactly one year in it
 * - `incomplete-source`: the source has an ISSN without a PPN, or the reverse
 * - `no-url`: neither URL nor DOI
 * - `no-title`
 * - `online-first`, `early-view`: not assigned to an issue yet
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

/** The first 20 warnings, and the number of further ones. */
export function truncateWarnings(warnings: string[]): string[] {
  const rest = warnings.length - budgets.warnings;
  const first = warnings.slice(0, budgets.warnings).map(truncateText);
  return rest <= 0 ? first : [...first, `and ${rest} more`];
}
