import type { ArticleMetadata } from "../article-metadata.ts";
import { normalizeForComparison } from "../plain-text.ts";
import type { MetadataByVocabulary } from "./merge-metadata.ts";

/** Of a title; enough to tell two works apart. */
const maxComparedChars = 300;

/**
 * Of what a page says of several works (COinS, the records of a linked file) what it says of its own: the one with a DOI
 * or title that another vocabulary states too; or the only one, when nothing better than the page's `title` names the
 * work. The others describe works that the page cites.
 */
export function chooseOwnWork(
  works: readonly ArticleMetadata[],
  others: MetadataByVocabulary,
): ArticleMetadata | undefined {
  const known = Object.values(others)
    .filter((statement) => statement !== undefined)
    .map(workKey);
  const own = works.find((work) => {
    const mark = workKey(work);
    return known.some((other) => isSameWork(mark, other));
  });
  const { highwire, eprints, "dublin-core": dublinCore, "json-ld": jsonLd } = others;
  const isNamed = [highwire, eprints, dublinCore, jsonLd].some((statement) => statement?.title !== undefined);
  return own ?? (works.length === 1 && !isNamed ? works[0] : undefined);
}

/** What a work is known again by. */
function workKey({ DOI, title = "" }: ArticleMetadata): { doi: string | undefined; title: string } {
  return { doi: DOI?.toLowerCase(), title: normalizeForComparison(title.slice(0, maxComparedChars)) };
}

/** The other title may have the site's name around it, or be cut short; a short title is no sign of either. */
function isSameWork(work: ReturnType<typeof workKey>, other: ReturnType<typeof workKey>): boolean {
  if (work.doi !== undefined && other.doi !== undefined) return work.doi === other.doi;
  const isWithin = work.title.length >= 10 && other.title.includes(work.title);
  const isCutShort = other.title.length >= 20 && work.title.startsWith(other.title);
  return isWithin || isCutShort || (work.title !== "" && work.title === other.title);
}
