import { isFreeLicence } from "../../formats/merge/free-licence.ts";
import type { FreeLicence } from "../../records/sources/licence.ts";
import type { Settings } from "../../records/sources/settings.ts";
import type { Source } from "../../records/sources/source.ts";
import type { Article } from "./article.ts";

/**
 * Returns the licence in 856 $z. The first of these rules that applies decides: the source's licence, if it is free
 * (LF, KF); the licence in the ISSN list, if the source has none; LF, if the page or the item contains a free licence
 * (note `LF`, field `rights`); otherwise ZZ, which means unknown.
 */
export function chooseLicenceCode(
  source: Source,
  settings: Settings,
  { notes, rights }: Pick<Article, "notes" | "rights">,
): FreeLicence | "ZZ" {
  const { license } = source;
  if (license === "LF" || license === "KF") return license;
  const listed = license === undefined ? findListedLicence(source, settings) : undefined;
  return listed ?? (notes.has("LF") || isFreeLicence(rights) ? "LF" : "ZZ");
}

function findListedLicence({ online, print }: Source, { licences }: Settings): FreeLicence | undefined {
  const issns = [online?.issn, print?.issn].filter((issn) => issn !== undefined);
  return issns.filter((issn) => Object.hasOwn(licences, issn)).map((issn) => licences[issn])[0];
}
