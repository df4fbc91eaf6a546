import { maxKeywords } from "./limits.ts";
import { plainTexts } from "./plain-text.ts";

/** Splits keywords at ";", and a single value without ";" at ",". */
export function splitKeywords(values: readonly string[]): string[] {
  return splitTexts(values, (text) => text.split(","));
}

/**
 * Splits the keywords of a vocabulary that has one per tag, where "Physics, general" is one. A single value with several
 * commas is still a list.
 */
export function splitSingleKeywords(values: readonly string[]): string[] {
  return splitTexts(values, (text) => {
    const parts = text.split(",");
    return parts.length > 2 ? parts : [text];
  });
}

/** @param splitOnly splits the only value, if it has no ";" */
function splitTexts(values: readonly string[], splitOnly: (text: string) => string[]): string[] {
  const texts = plainTexts(values);
  const parts = texts.flatMap((text) => {
    const bySemicolon = text.split(";");
    return bySemicolon.length === 1 && texts.length === 1 ? splitOnly(text) : bySemicolon;
  });
  return plainTexts(parts.slice(0, maxKeywords));
}
