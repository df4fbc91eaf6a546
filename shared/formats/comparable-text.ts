/** Removes accents and other marks from letters, and divides ligatures. */
export function withoutMarks(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "");
}

/** Reduces a text to letters and digits in lower case, so that two spellings of the same title are equal. */
export function normalizeForComparison(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
