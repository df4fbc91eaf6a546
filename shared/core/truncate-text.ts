import { budgets } from "./budgets.ts";

const sign = "…";

/** Cuts a text to at most 1,000 characters (UTF-16). A cut text ends in "…", and never in half a surrogate pair. */
export function truncateText(text: string): string {
  if (text.length <= budgets.textChars) return text;
  return text.slice(0, budgets.textChars - sign.length).replace(/[\ud800-\udbff]$/, "") + sign;
}

/** Cuts a text to at most `maxBytes` in UTF-8. A cut text ends in "…". */
export function truncateToBytes(text: string, maxBytes: number): string {
  // No character has more than three bytes per code unit.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  return truncateBytes(text, maxBytes - Buffer.byteLength(sign)) + sign;
}

/**
 * Returns the longest beginning of a text that takes at most `maxBytes` in UTF-8. The text is cut between characters.
 */
export function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
