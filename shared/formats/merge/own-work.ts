import type { ArticleMetadata } from "../article-metadata.ts";
import { normalizeForComparison } from "../comparable-text.ts";
import type { MetadataByVocabulary } from "./merge-metadata.ts";

/** Characters of titles that are compared. */
const maxComparedChars = 300;

/**
 * Chooses the page's own work from several (COinS, records of a linked file), which may also be works that it cites: the
 * one whose DOI or title another vocabulary confirms; or the only one, if no other vocabulary but HTML has a title.
 */
export function chooseOwnWork(
  works: readonly ArticleMetadata[],
  others: MetadataByVocabulary,
): ArticleMetadata | undefined {
  const known = Object.values(others)
    .filter((statement) => statement !== undefined)
    .map(workKey);
  const own = works.find((work) => {
    const key = workKey(work);
    return known.some((other) => isSameWork(key, other));
  });
  const { highwire, eprints, "dublin-core": dublinCore, "json-ld": jsonLd } = others;
  const isNamed = [highwire, eprints, dublinCore, jsonLd].some((statement) => statement?.title !== undefined);
  return own ?? (works.length === 1 && !isNamed ? works[0] : undefined);
}

/** DOI and normalised title, for comparison. */
function workKey({ DOI, title = "" }: ArticleMetadata): { doi: string | undefined; title: string } {
  return { doi: DOI?.toLowerCase(), title: normalizeForComparison(title.slice(0, maxComparedChars)) };
}

/** Equal DOIs, or titles of which one contains the other (site name added, or truncated); short titles must be equal. */
function isSameWork(work: ReturnType<typeof workKey>, other: ReturnType<typeof workKey>): boolean {
  if (work.doi !== undefined && other.doi !== undefined) return work.doi === other.doi;
  const isWithin = work.title.length >= 10 && other.title.includes(work.title);
  const isCutShort = other.title.length >= 20 && work.title.startsWith(other.title);
  return isWithin || isCutShort || (work.title !== "" && work.title === other.title);
}
