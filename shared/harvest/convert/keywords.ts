import type { DataField } from "../../marc/record.ts";

const germanTerms = new Map([
  ["bibliography", "Bibliografie"],
  ["obituary", "Nachruf"],
]);

/** 655 for a genre keyword, else 650. */
export function keywordField(keyword: string, genreKeywords: readonly string[]): DataField {
  const lowerCase = keyword.toLowerCase();
  if (genreKeywords.some((genre) => genre.toLowerCase() === lowerCase))
    return ["655", " 4", [["a", keyword]]];
  return ["650", " 4", [["a", germanTerms.get(lowerCase) ?? keyword]]];
}
