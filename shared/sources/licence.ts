import { z } from "zod";
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
