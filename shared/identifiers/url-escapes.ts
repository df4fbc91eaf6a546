/**
 * Decodes the escapes of unreserved characters (letters, digits, `-._~`) in a URL, because the escaped and the plain
 * spelling are equivalent.
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2.2
 */
export function withoutNeedlessEscapes(text: string): string {
  return text.replaceAll(/%(?:2[DE]|3\d|[46][1-9A-F]|[57][0-9A]|5F|7E)/gi, (triplet) =>
    decodeURIComponent(triplet),
  );
}
