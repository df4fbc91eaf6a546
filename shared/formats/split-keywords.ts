import { maxKeywords } from "./limits.ts";
import { plainTexts } from "./plain-text.ts";

/** Splits keywords at ";". A single value without ";" is split at ",". */
export function splitKeywords(values: readonly string[]): string[] {
  return splitTexts(values, (text) => text.split(","));
}

/**
 * Splits the keywords of a vocabulary with one keyword per tag, in which "Physics, general" is a single keyword.
 * However, a single value with several commas is a list.
 */
export function splitSingleKeywords(values: readonly string[]): string[] {
  return splitTexts(values, (text) => {
    const parts = text.split(",");
    return parts.length > 2 ? parts : [text];
  });
}

/** @param splitOnly splits a single value that contains no ";" */
function splitTexts(values: readonly string[], splitOnly: (text: string) => string[]): string[] {
  const texts = plainTexts(values);
  const parts = texts.flatMap((text) => {
    const bySemicolon = text.split(";");
    return bySemicolon.length === 1 && texts.length === 1 ? splitOnly(text) : bySemicolon;
  });
  return plainTexts(parts.slice(0, maxKeywords));
}
