/** What turns the direction of the text that follows, until it is ended; marks (U+200E, U+200F) turn nothing but their neighbours. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text without the controls that show it, and what follows it, in another order than it has.
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
export function withoutBidiControls(text: string): string {
  return text.replace(bidiControls, "");
}

/** Controls, line separators, and what turns the direction of what follows: none stands in a line that people read. */
export const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
