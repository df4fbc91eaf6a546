import { tidyText, withoutEntities, withoutTags } from "../plain-text.ts";
import { MAX_TEXT_CHARS } from "./limits.ts";

/**
 * The plain text of a value that may hold markup: tags stripped (of blocks, to a space), entities decoded once more
 * for the many pages that encode twice, white space and control characters collapsed, at most MAX_TEXT_CHARS long.
 * @returns undefined when nothing but punctuation is left
 */
export function plainText(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const decoded = withoutEntities(withoutTags(value.slice(0, MAX_TEXT_CHARS)));
  const text = tidyText(withoutTags(decoded));
  return text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;
}

/** The plain texts of all values that have one, each once, in order. */
export function plainTexts(values: readonly string[]): string[] {
  return [...new Set(values.map(plainText).filter((text) => text !== undefined))];
}

/** Letters and digits alone, in lower case: what two spellings of one title have in common. */
export function normalizeForComparison(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
