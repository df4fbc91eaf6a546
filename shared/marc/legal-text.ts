/**
 * The value as both formats can carry it: every character that XML 1.0 forbids, the delimiters of ISO 2709 among them, is
 * replaced by U+FFFD, as UTF-8 encoders do with lone surrogates. A loss stays visible and no text moves.
 * Tab, line feed and carriage return stay, and so do U+0080 to U+009F, which MARC-21 uses (non-sorting characters).
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function replaceIllegalCharacters(value: string): string {
  return value.toWellFormed().replace(illegal, "\uFFFD");
}

const illegal = /(?![\t\n\r\x7F-\x9F])[\p{Cc}\uFFFE\uFFFF]/gu;
