import type { LinkResult } from "../../../../../shared/links/check/check-links.ts";
import type { LinkPlace } from "../../../../../shared/links/extract/found-link.ts";
import type { Verdict } from "../../../../../shared/links/verdict/verdict.ts";

/** The place of a link in an input file, or on a page of a crawled site. */
export interface FilePlace extends LinkPlace {
  /** The name of the file as given, `-` for standard input, or the URL of the page. */
  file: string;
}

/** A result with the places where its link was found. A link from the command line has no place. */
export interface ReportedLink extends LinkResult {
  places: readonly FilePlace[];
  /** When the result was obtained (ISO 8601). Set only if the result is from the cache. */
  checkedAt?: string;
}

export interface LinkTotals {
  /** Milliseconds since the start of the run. */
  tookMs: number;
  counts: Record<Verdict, number>;
}

/** Writes results in one format. Each method returns the text to print next. */
export interface LinkOutput {
  add(link: ReportedLink): string;
  finish(totals: LinkTotals): string;
}

/** Formats a place as compilers do: file, line and column; for a MARC file, also the record. */
export function describePlace({ file, line, column, record }: FilePlace): string {
  return `${file}:${line}:${column}${record === undefined ? "" : ` (record ${record})`}`;
}

/** Orders results by file and line. Links from the command line come first. */
export function byPlace(a: ReportedLink, b: ReportedLink): number {
  const [{ file = "", line = 0, column = 0 } = {}] = a.places as Partial<FilePlace>[];
  const [other = {}] = b.places as Partial<FilePlace>[];
  const byFile = file.localeCompare(other.file ?? "");
  return byFile || line - (other.line ?? 0) || column - (other.column ?? 0);
}
