/**
 * Characters that change the direction of all text up to their end. The marks U+200E and U+200F affect their neighbours
 * alone.
 */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text without the characters that display it, and the text after it, in another order.
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
export function withoutBidiControls(text: string): string {
  return text.replace(bidiControls, "");
}

/** Controls, line separators and direction controls: none is allowed in a line of text for people. */
export const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
