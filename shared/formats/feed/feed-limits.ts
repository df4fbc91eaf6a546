/** The largest number of entries of a feed. The largest feeds of journals have about 10,000 entries. */
export const maxFeedEntries = 100_000;

/**
 * The largest number of objects and arrays of a JSON feed, which is ten per entry. Each takes about 100 bytes of
 * memory.
 */
const maxJsonContainers = 10 * maxFeedEntries;

/**
 * Decides whether JSON has more objects and arrays than a feed may have. The JSON is not parsed for this, because
 * parsing is what takes the memory.
 */
export function hasTooManyContainers(json: string): boolean {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === quote) isInString = !isInString;
    else if (isInString) at += char === backslash ? 1 : 0;
    else if (char === openingBrace || char === openingBracket) count += 1;
    if (count > maxJsonContainers) return true;
  }
  return false;
}

const [quote, backslash, openingBrace, openingBracket] = [0x22, 0x5c, 0x7b, 0x5b] as const;
