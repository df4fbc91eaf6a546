/**
 * Matches characters that XML forbids (unpaired surrogates, U+FFFE, U+FFFF, control characters except tabs and line
 * ends), and U+FFFD, which marks an earlier loss.
 * @see https://www.w3.org/TR/xml/#charsets
 */
const invalidCharacters = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFD-\uFFFF]/gu;

/** A fast first check that does not match most texts. It also matches emoji, for which the exact check follows. */
const uncommonCharacter = /[^\t\n\r -~\u00a0-\ud7ff\ue000-\ufffc]/;

/** The maximum number of characters that a warning lists. */
const maxListedCharacters = 5;

/** Replaces control characters with blanks, and other invalid characters with U+FFFD, with a warning. */
export function sanitizeText(text: string, field: string, warn: (warning: string) => void): string {
  if (!uncommonCharacter.test(text)) return text;
  const found = new Set<string>();
  const sanitized = text.replace(invalidCharacters, (character) => {
    found.add(`U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`);
    return /\p{Cc}/u.test(character) ? " " : "\uFFFD";
  });
  if (found.size > 0) {
    const listed = [...found].slice(0, maxListedCharacters).join(", ");
    warn(`${field} has invalid characters (${listed}); they were replaced by blanks or U+FFFD`);
  }
  return sanitized;
}
