import type { ArticleMetadata } from "../../article-metadata.ts";
import type { Meta } from "../page-parts.ts";
import { abstractSection, readAbstractSection } from "./abstract-section.ts";
import { readLabelledFacts } from "./labelled-facts.ts";
import { collectPassages } from "./passages.ts";

const statesVolume = /^(?:citation_volume|prism\.volume|dc\.source\.volume|eprints\.volume)$/;
const statesAbstract =
  /^(?:citation_abstract|dc\.description(?:\.abstract)?|dcterms\.abstract|eprints\.abstract)$/;
/** The shortest abstract in a meta tag that is certainly not cut for search engines. */
const minWholeChars = 340;

/**
 * Reads what pages of unknown platforms show their readers and their meta tags lack: labelled facts, such as
 * <b>Volume:</b> 12, and the section of the abstract.
 * @returns undefined if the meta tags are complete
 */
export function readUnknownSite(page: string, metas: readonly Meta[]): ArticleMetadata | undefined {
  const hasVolume = metas.some(({ name }) => statesVolume.test(name));
  const hasAbstract = metas.some(
    ({ name, content }) => statesAbstract.test(name) && content.length >= minWholeChars,
  );
  const facts = hasVolume ? {} : readLabelledFacts(page);
  const abstracts = hasAbstract ? [] : readAbstractSection(collectPassages(page, abstractSection));
  const isArticle = facts.volume !== undefined || facts.issue !== undefined;
  if (!isArticle && abstracts.length === 0) return undefined;
  return { ...(isArticle && { ...facts, likelyType: "journalArticle" }), abstracts };
}
