import { maxKeywords } from "./limits.ts";
import { plainTexts } from "./plain-text.ts";

/** Splits keywords at ";", and a single value without ";" at ",". */
export function splitKeywords(values: readonly string[]): string[] {
  const texts = plainTexts(values);
  const parts = texts.flatMap((text) => {
    const bySemicolon = text.split(";");
    return bySemicolon.length === 1 && texts.length === 1 ? text.split(",") : bySemicolon;
  });
  return plainTexts(parts.slice(0, maxKeywords));
}
