import { z } from "zod";
import { issnProblem } from "../identifiers/issn.ts";
import { listFileNames } from "./conf/list-files.ts";
import { readEnhancementMap } from "./enhancement-map.ts";

/** LF free, KF free by cooperation. */
export const freeLicences = ["LF", "KF"] as const;
export type FreeLicence = (typeof freeLicences)[number];

/** Licences by ISSN. */
export const licencesByIssn = z.record(z.string().min(1), z.enum(freeLicences));

/** What the original's map calls them. */
const codes = new Map<string, FreeLicence>([["l", "LF"]]);

export type LicenceMap =
  | { type: "read"; licences: z.output<typeof licencesByIssn> }
  | { type: "refused"; problem: string };

export function readLicenceMap(text: string): LicenceMap {
  const map = readEnhancementMap(text);
  if (map.type === "refused") return map;
  const licences: [issn: string, licence: FreeLicence][] = [];
  for (const [issn, code] of map.entries) {
    const licence = codes.get(code);
    if (licence === undefined)
      return { type: "refused", problem: `ISSN ${issn} has the unknown licence "${code}"` };
    licences.push([issn, licence]);
  }
  return { type: "read", licences: Object.fromEntries(licences) };
}

/** What is doubtful about a map that can be read: keys that are no ISSN find no journal, of those that stand twice the last counts. */
export function lintLicenceMap(text = ""): string[] {
  const map = readEnhancementMap(text);
  if (map.type === "refused") return [];
  const issns = [...map.entries.keys()];
  const warningFor = (keys: string[], doubt: string) =>
    keys.length === 0 ? [] : [`${listFileNames.licences}: ${doubt}: ${keys.join(", ")}`];
  return [
    ...warningFor(
      issns.filter((issn) => issnProblem(issn) === "form"),
      "no ISSN such as 1234-567X",
    ),
    ...warningFor(
      issns.filter((issn) => issnProblem(issn) === "check digit"),
      "an ISSN with a wrong check digit",
    ),
    ...warningFor(map.repeated, "stands twice, and the last line counts"),
  ];
}
