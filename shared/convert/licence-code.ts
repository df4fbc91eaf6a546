import type { FreeLicence } from "../sources/licence.ts";
import type { Settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";
import type { Notes } from "./item-notes.ts";

/**
 * 856 $z: the source's licence if it is free (LF, KF); else that of the ISSN list, if the source has none; else LF if the
 * page states a free licence (note `LF`); else ZZ, unknown.
 */
export function chooseLicenceCode(source: Source, settings: Settings, notes: Notes): FreeLicence | "ZZ" {
  const { license } = source;
  if (license === "LF" || license === "KF") return license;
  const listed = license === undefined ? findListedLicence(source, settings) : undefined;
  return listed ?? (notes.has("LF") ? "LF" : "ZZ");
}

function findListedLicence({ online, print }: Source, { licences }: Settings): FreeLicence | undefined {
  const issns = [online?.issn, print?.issn].filter((issn) => issn !== undefined);
  return issns.filter((issn) => Object.hasOwn(licences, issn)).map((issn) => licences[issn])[0];
}
