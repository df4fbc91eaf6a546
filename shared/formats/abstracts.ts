/** Headings of abstracts in the languages of the sources. */
const headings =
  "abstract|summary|zusammenfassung|kurzfassung|résumé|resumen|resumo|resum|riassunto|sommario|samenvatting|streszczenie|özet|sammanfattning|sammendrag|sažetak|abstrakt|аннотация|резюме";

/** A heading that a sign, or capital letters, set apart from the text. */
const headingBefore = new RegExp(
  String.raw`^(?:(?:${headings})\s*[.:–—-]\s*|(?:ABSTRACT|SUMMARY|ZUSAMMENFASSUNG)\s+)`,
  "iu",
);
const headingAlone = new RegExp(String.raw`^\W*(?:${headings})(?:\s*[/|]\s*(?:${headings}))*\W*$`, "iu");
const placeholder =
  /^\W*(?:no abstract|no summary|abstract (?:is )?(?:not|un)(?: yet)? ?available|n\/?a|kein abstract|pas de résumé|sin resumen)(?: is)?(?: available| vorhanden| disponible)?\W*$/iu;

/**
 * Removes the heading before an abstract.
 * @returns undefined for a heading without a text, and for a text that says that there is no abstract
 */
export function tidyAbstract(text: string): string | undefined {
  const capital = /^(?:ABSTRACT|SUMMARY|ZUSAMMENFASSUNG)\s/.test(text);
  const rest = capital || /^\p{L}+\s*[.:–—-]/u.test(text) ? text.replace(headingBefore, "") : text;
  return rest.trim() === "" || headingAlone.test(text) || placeholder.test(rest) ? undefined : rest.trim();
}

/** The lengths at which sites cut descriptions for search engines. */
const cutLengths = { min: 120, max: 330 };

/** Decides whether a text is cut: it ends in an ellipsis or, at the length of a description, within a sentence. */
export function isCut(text: string): boolean {
  if (/(?:…|\.\.\.)$/.test(text)) return true;
  const isOfCutLength = text.length >= cutLengths.min && text.length <= cutLengths.max;
  return isOfCutLength && !/[\p{P}\p{S}]$/u.test(text);
}

/** The number of letters that show that two words have the same stem. */
const stemLetters = 5;

/**
 * Decides whether a description may be that of the article: it has a word of the title. The description of the site has
 * none, except by chance.
 */
export function isAboutTitle(description: string, title: string): boolean {
  const stems = (text: string) =>
    new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, stemLetters)));
  const ofTitle = stems(title);
  return ofTitle.size === 0 || [...stems(description)].some((stem) => ofTitle.has(stem));
}
