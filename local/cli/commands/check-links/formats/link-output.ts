import type { LinkResult } from "../../../../../shared/links/check/check-links.ts";
import type { LinkPlace } from "../../../../../shared/links/extract/found-link.ts";
import type { Verdict } from "../../../../../shared/links/verdict/verdict.ts";

/** A place in a file that was read, or on a page of a site. */
export interface FilePlace extends LinkPlace {
  /** The name of the file as it was given, `-`, or the URL of the page. */
  file: string;
}

/** A result with the places where its link was found; a link of the command line has none. */
export interface ReportedLink extends LinkResult {
  places: readonly FilePlace[];
  /** When the result was obtained, if it is from the cache (ISO 8601). */
  checkedAt?: string;
}

export interface LinkTotals {
  /** Milliseconds since the start of the run. */
  tookMs: number;
  counts: Record<Verdict, number>;
}

/** Writes results in one format. Each call returns the text that is due. */
export interface LinkOutput {
  add(link: ReportedLink): string;
  finish(totals: LinkTotals): string;
}

/** The place as compilers write it: file, line and column, and the record of a MARC file. */
export function describePlace({ file, line, column, record }: FilePlace): string {
  return `${file}:${line}:${column}${record === undefined ? "" : ` (record ${record})`}`;
}

/** In the order of files and lines; links of the command line first. */
export function byPlace(a: ReportedLink, b: ReportedLink): number {
  const [{ file = "", line = 0, column = 0 } = {}] = a.places as Partial<FilePlace>[];
  const [other = {}] = b.places as Partial<FilePlace>[];
  const byFile = file.localeCompare(other.file ?? "");
  return byFile || line - (other.line ?? 0) || column - (other.column ?? 0);
}
