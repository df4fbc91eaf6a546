import { maxKeywords } from "./limits.ts";
import { plainTexts } from "./plain-text.ts";

/** Keywords that stand one by one or as a list: split at ";", and at "," when there is one value only. */
export function splitKeywords(values: readonly string[]): string[] {
  const texts = plainTexts(values);
  const parts = texts.flatMap((text) => {
    const bySemicolon = text.split(";");
    return bySemicolon.length === 1 && texts.length === 1 ? text.split(",") : bySemicolon;
  });
  return plainTexts(parts.slice(0, maxKeywords));
}
