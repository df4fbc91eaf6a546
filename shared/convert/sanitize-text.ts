/**
 * What no record can carry (halves of surrogate pairs, U+FFFE and U+FFFF, control characters but tabs and line ends), and
 * U+FFFD, which says that something was lost before.
 * @see https://www.w3.org/TR/xml/#charsets
 */
const invalidCharacters = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFD-\uFFFF]/gu;

/** Most text has none, and is told by this at a tenth of the cost; emoji are looked at more closely. */
const uncommonCharacter = /[^\t\n\r -~\u00a0-\ud7ff\ue000-\ufffc]/;

/** Of one text; the rest says no more. */
const maxListedCharacters = 5;

/** A text that records can carry: a blank for each control character, U+FFFD for what is no character at all. */
export function sanitizeText(text: string, field: string, warn: (warning: string) => void): string {
  if (!uncommonCharacter.test(text)) return text;
  const found = new Set<string>();
  const sanitized = text.replace(invalidCharacters, (character) => {
    found.add(`U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
    return /\p{Cc}/u.test(character) ? " " : "\uFFFD";
  });
  if (found.size > 0) {
    const listed = [...found].slice(0, maxListedCharacters).join(", ");
    warn(`${field} has characters that are none (${listed}); they stand as blanks or as U+FFFD`);
  }
  return sanitized;
}
