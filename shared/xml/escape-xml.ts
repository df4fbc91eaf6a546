const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\r": "&#13;",
};

/**
 * Escapes the text of an element. Characters that XML 1.0 forbids are replaced.
 * @see https://www.w3.org/TR/xml/#charsets
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll(/[&<>\r]/g, (character) => references[character] ?? character);
}

/** Escapes the value of an attribute in double quotes. */
export function escapeAttribute(value: string): string {
  return escapeXml(value).replaceAll('"', "&quot;");
}
