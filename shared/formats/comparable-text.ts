/** Letters and digits only, in lower case: equal for two spellings of one title. */
export function normalizeForComparison(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
