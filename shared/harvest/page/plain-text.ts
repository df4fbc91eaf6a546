import { decodeHTML } from "entities";
import { MAX_TEXT_CHARS } from "./limits.ts";

/** Bounded, so that a text of nothing but `<` is read in linear time. A letter must follow: `p < 0.05` is no tag. */
const TAG = /<\/?(?:[a-z0-9-]+:)?([a-z][a-z0-9-]*)(?:[\s/][^<>]{0,1000})?>/gi;
const BLOCK_ELEMENTS = new Set([
  "p",
  "br",
  "div",
  "li",
  "ul",
  "ol",
  "tr",
  "td",
  "sec",
  "title",
  "h1",
  "h2",
  "h3",
]);

/**
 * The plain text of a value that may hold markup: tags stripped (of blocks, to a space), entities decoded once more
 * for the many pages that encode twice, white space and control characters collapsed, at most MAX_TEXT_CHARS long.
 * @returns undefined when nothing but punctuation is left
 */
export function plainText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const decoded = decodeHTML(withoutTags(value.slice(0, MAX_TEXT_CHARS)));
  const text = withoutTags(decoded)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** The plain texts of all values that have one, each once, in order. */
export function plainTexts(values: readonly string[]): string[] {
  return [...new Set(values.map(plainText).filter((text) => text !== undefined))];
}

/** Letters and digits alone, in lower case: what two spellings of one title have in common. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function withoutTags(value: string): string {
  return value.replace(TAG, (_tag, name: string) => (BLOCK_ELEMENTS.has(name.toLowerCase()) ? " " : ""));
}
