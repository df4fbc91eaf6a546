import type { Source } from "./source.ts";

/** The serial of an article, as described in 773 and 007. */
export type HostTitle =
  | { type: "known"; medium: "online" | "print"; issn: string; ppn: string }
  /** The source is not a serial of the union catalogue. `issn` is the ISSN on the page of the article. */
  | { type: "unregistered"; issn?: string | undefined }
  | { type: "incomplete"; detail: string };

/**
 * Returns the serial of a source. The online edition takes precedence over the print edition. An ISSN needs its PPN. A
 * source without both editions is complete unless it has a Zeder id, because all serials in Zeder have an ISSN and a
 * PPN.
 */
export function hostTitleOf(source: Source): HostTitle {
  for (const medium of ["online", "print"] as const) {
    const { issn, ppn } = source[medium] ?? {};
    if (issn === undefined) continue;
    if (ppn !== undefined) return { type: "known", medium, issn, ppn };
    return { type: "incomplete", detail: `${medium} ISSN ${issn} has no PPN` };
  }
  if (source.zederId === undefined && !source.online && !source.print) return { type: "unregistered" };
  return { type: "incomplete", detail: "neither an online nor a print ISSN is configured" };
}
