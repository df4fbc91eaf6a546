import type { Source } from "./source.ts";

/** The serial of an article, as 773 and 007 describe it. */
export type HostTitle =
  | { type: "known"; medium: "online" | "print"; issn: string; ppn: string }
  /** The source is not a serial of the union catalogue. `issn`: as the page of the article states it. */
  | { type: "unregistered"; issn?: string | undefined }
  | { type: "incomplete"; detail: string };

/**
 * The online edition comes before the print edition. An ISSN needs its PPN. A source without both editions is complete
 * unless it has a Zeder id: the serials in Zeder have an ISSN and a PPN.
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
