import { decodeHTMLStrict } from "entities";

/** Text of a page without its markup: tags become spaces, entities characters, white space and control characters one space. */
export function plainText(text: string): string {
  const withoutTags = text.includes("<")
    ? text.replace(/<[A-Za-z/](?:"[^"]*"|'[^']*'|[^>"'])*>/g, " ")
    : text;
  const decoded = withoutTags.includes("&") ? decodeHTMLStrict(withoutTags) : withoutTags;
  return collapseSpace(decoded);
}

export function collapseSpace(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** The beginning of a text that has at most so many bytes in UTF-8, cut between characters. */
export function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
