/**
 * Replaces every character that XML 1.0 forbids by U+FFFD, so that both formats can contain the value. These characters
 * include the delimiters of ISO 2709 and lone surrogates. Tab, line feed, carriage return and U+0080 to U+009F
 * (non-sorting characters in MARC-21) are unchanged.
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function replaceIllegalCharacters(value: string): string {
  return value.toWellFormed().replace(illegal, "\uFFFD");
}

const illegal = /(?![\t\n\r\x7F-\x9F])[\p{Cc}\uFFFE\uFFFF]/gu;
