import { lateMetaCharsetOf, metaCharsetIn } from "../../web/encoding/meta-charset.ts";
import { charsetIn, markedEncoding, startOf, xmlDeclaredIn } from "../../xml/character-encoding.ts";

/** Shared, because most pages are UTF-8 and creating a decoder costs more than decoding a page. */
const utf8 = new TextDecoder();

/**
 * Decodes the text of a page. The encoding is the first one named by the byte order mark, the Content-Type, the XML
 * declaration or a meta tag, in this order; UTF-8 if none names one. Invalid bytes become U+FFFD.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decodeText(body: Uint8Array, contentType = ""): string {
  for (const label of labelsOf(body, contentType)) {
    const text = label === undefined ? undefined : decode(body, label);
    if (text !== undefined) return text;
  }
  return utf8.decode(body);
}

function* labelsOf(body: Uint8Array, contentType: string): Iterable<string | undefined> {
  const start = startOf(body);
  yield markedEncoding(start);
  yield charsetIn(contentType);
  yield xmlDeclaredIn(start);
  yield metaCharsetIn(start);
  yield lateMetaCharsetOf(body);
}

/**
 * Decodes a body.
 * @returns undefined for an unknown encoding
 */
function decode(body: Uint8Array, label: string): string | undefined {
  if (/^utf-?8$/i.test(label)) return utf8.decode(body);
  try {
    return new TextDecoder(label).decode(body);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
