import type { Source } from "./source.ts";

/** How 773 and 007 name the title that an article appears in. */
export type HostTitle =
  | { type: "known"; medium: "online" | "print"; issn: string; ppn: string }
  /** A source that is no serial of the union catalogue. */
  | { type: "unregistered" }
  | { type: "incomplete"; detail: string };

/**
 * The online edition before the print edition. An ISSN needs its PPN; a source without any is complete unless Zeder
 * knows it, for then its serial has a pair that is missing here.
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
