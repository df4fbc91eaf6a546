/** For a title, a detail or a warning stored with a record; a DynamoDB item takes 400 KB in all. */
const maxDetailChars = 1_000;

/** The first 1,000 characters (UTF-16) of a text, never ending in half a surrogate pair. */
export function truncateText(text: string): string {
  return text.slice(0, maxDetailChars).replace(/[\ud800-\udbff]$/, "");
}

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8, cut between characters. */
export function truncateBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
