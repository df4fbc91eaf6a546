import type { ArticleMetadata } from "../article-metadata.ts";
import { normalizeForComparison } from "../comparable-text.ts";
import type { MetadataByVocabulary } from "./merge-metadata.ts";

/** The number of characters of titles that are compared. */
const maxComparedChars = 300;

/**
 * Chooses the page's own work from several works (COinS, or the records of a linked file), because some of them may be
 * works that the page cites. The own work is the one whose DOI or title another vocabulary confirms. If none of
 * Highwire, EPrints, Dublin Core and JSON-LD has a title, a single work counts as the page's own.
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

/** Returns the DOI and the normalised title, for comparison. */
function workKey({ DOI, title = "" }: ArticleMetadata): { doi: string | undefined; title: string } {
  return { doi: DOI?.toLowerCase(), title: normalizeForComparison(title.slice(0, maxComparedChars)) };
}

/**
 * Decides whether two works are the same. If both have a DOI, the DOIs must be equal. Otherwise, one title must contain the
 * other, because a site name may have been added or the title truncated. Short titles must be equal.
 */
function isSameWork(work: ReturnType<typeof workKey>, other: ReturnType<typeof workKey>): boolean {
  if (work.doi !== undefined && other.doi !== undefined) return work.doi === other.doi;
  const isWithin = work.title.length >= 10 && other.title.includes(work.title);
  const isCutShort = other.title.length >= 20 && work.title.startsWith(other.title);
  return isWithin || isCutShort || (work.title !== "" && work.title === other.title);
}
