import * as z from "zod";
import { issnProblem } from "../../identifiers/issn.ts";
import { readEnhancementMap } from "./enhancement-map.ts";
import { listFileNames } from "./list-files.ts";

/** The codes of free licences. LF means free; KF means free by cooperation. */
export const freeLicences = ["LF", "KF"] as const;
export type FreeLicence = (typeof freeLicences)[number];

/** Licences by ISSN. */
export const licencesByIssn = z.record(z.string().min(1), z.enum(freeLicences));

/** The licences by their codes in the map. */
const codes = new Map<string, FreeLicence>([["l", "LF"]]);

type LicenceMap =
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

/**
 * Returns probable mistakes in a licence map: keys that are not ISSNs, and therefore match no journal, and repeated
 * keys.
 */
export function lintLicenceMap(text = ""): string[] {
  const map = readEnhancementMap(text);
  if (map.type === "refused") return [];
  const issns = [...map.entries.keys()];
  const warningFor = (keys: string[], mistake: string) =>
    keys.length === 0 ? [] : [`${listFileNames.licences}: ${mistake}: ${keys.join(", ")}`];
  return [
    ...warningFor(
      issns.filter((issn) => issnProblem(issn) === "form"),
      "not an ISSN such as 1234-567X",
    ),
    ...warningFor(
      issns.filter((issn) => issnProblem(issn) === "check digit"),
      "an ISSN with a wrong check digit",
    ),
    ...warningFor(map.repeated, "repeated, the last line counts"),
  ];
}
