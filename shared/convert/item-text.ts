import { collapseSpace, withoutEntities } from "../metadata/plain-text.ts";

/** Any tag; bounded, so that a text of nothing but `<a ` is read in linear time. */
const tag = /<[A-Za-z/](?:"[^"]*"|'[^']*'|[^>"']){0,1000}>/g;

/**
 * Text without its markup: every tag becomes a space, also inside a word, since the records that were delivered before
 * have it so, and a record must keep its hash.
 */
export function stripMarkup(text: string): string {
  return collapseSpace(withoutEntities(text.includes("<") ? text.replace(tag, " ") : text));
}

/** The beginning of a text that has at most so many bytes in UTF-8, cut between characters. */
export function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
