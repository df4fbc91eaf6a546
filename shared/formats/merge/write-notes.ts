import type { LocalizedText, MetadataCreator } from "../article-metadata.ts";
import { fullName } from "../creator-names.ts";

/** The keys of the second and third abstract. The conversion does not read further abstracts. */
const abstractKeys = ["abs", "abs1"];

/**
 * Writes metadata for which there is no item field as `key:value` notes, which the conversion to MARC-21 reads: `orcid`
 * per creator, `abs` and `abs1` for abstracts in other languages, `additional_title`, `articleid`, and `LF` for a free
 * licence.
 */
export function writeNotes(known: {
  creators: readonly MetadataCreator[];
  otherAbstracts: readonly LocalizedText[];
  otherTitles: readonly string[];
  /** The number of an article without pages. */
  articleNumber: string | undefined;
  isFree: boolean;
}): { note: string }[] {
  const orcids = known.creators
    .filter((creator) => creator.orcid !== undefined)
    .map((creator) => `orcid:${creator.orcid} | ${fullName(creator)}`);
  const abstracts = abstractKeys.flatMap((key, i) => {
    const abstract = known.otherAbstracts[i];
    return abstract === undefined ? [] : [`${key}:${abstract.text}`];
  });
  const titles = known.otherTitles.slice(0, 1).map((title) => `additional_title:${title}`);
  const licence = known.isFree ? ["LF:"] : [];
  const number = known.articleNumber === undefined ? [] : [`articleid:${known.articleNumber}`];
  return [...orcids, ...abstracts, ...titles, ...number, ...licence].map((note) => ({ note }));
}
