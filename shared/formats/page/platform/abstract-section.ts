import type { ArticleMetadata } from "../../article-metadata.ts";
import { hasClass, type PassageSelectors, type Passages } from "./passages.ts";

const sections = [
  "abstract",
  "abstract-section",
  "abstractsection",
  "article-abstract",
  "article__abstract",
  "article-section__abstract",
  "abstract-container",
] as const;
const contents = [
  "abstract-content",
  "abstract-text",
  "abstracttext",
  "abstract__text",
  "abstract__content",
] as const;

const isSection = hasClass(...sections);
const isHeading = /^h[1-6]$/;

/** Selects the sections of abstracts by the classes and ids that many sites use. */
export const abstractSection: PassageSelectors = {
  abstractContent: hasClass(...contents),
  abstractSection: (element) =>
    isSection(element) || sections.some((name) => element.attribute("id")?.toLowerCase() === name),
  abstractHeading: (element, within) =>
    within.has("abstractSection") && (isHeading.test(element.name) || element.classes.has("label")),
};

/** The shortest text of a section that is an abstract rather than a link to it. */
const minChars = 60;

/** Reads the abstracts in the article's own sections, without their heading. Of several sections, the longest counts. */
export function readAbstractSection(passages: Passages): NonNullable<ArticleMetadata["abstracts"]> {
  const headings = passages("abstractHeading");
  const withoutHeading = (text: string) => {
    const heading = headings.find((one) => text.startsWith(`${one} `));
    return heading === undefined ? text : text.slice(heading.length).trim();
  };
  const texts = passages("abstractSection").map(withoutHeading);
  const longest = texts.toSorted((a, b) => b.length - a.length)[0] ?? "";
  // A section may contain buttons beside its text.
  const [content = longest] = passages("abstractContent").toSorted((a, b) => b.length - a.length);
  return content.length < minChars ? [] : [{ text: content }];
}
