/**
 * Characters that change the direction of the text after them. (The marks U+200E and U+200F affect only neighbouring
 * characters.)
 */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes the characters that display a text, and the text after it, in another order.
 * @see https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing
 */
export function withoutBidiControls(text: string): string {
  return text.replace(bidiControls, "");
}

/** Control characters, line separators and direction controls. None of them is allowed in a line of text for people. */
export const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
