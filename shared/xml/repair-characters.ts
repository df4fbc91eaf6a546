import { decodeHTMLStrict, escapeUTF8 } from "entities";

/** A CDATA section (in which `&` is literal), a reference, or a bare `&`. */
const cdataOrReference = /<!\[CDATA\[(?:[\s\S]*?\]\]>|[\s\S]*$)|&(?:#?\w+;)?/g;

/** Characters that XML 1.0 forbids even as references. @see https://www.w3.org/TR/xml/#charsets */
const forbiddenCharacter = /[[\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\r\u0080-\u009f]]/gv;

/**
 * Repairs single characters of an XML text: replaces HTML's named entities, escapes bare `&` characters, and removes
 * forbidden characters and references to them.
 */
export function repairCharacters(text: string): string {
  return text
    .replace(cdataOrReference, (found) =>
      found.startsWith("<") ? found : escapeUTF8(decodeHTMLStrict(found)),
    )
    .replace(forbiddenCharacter, "");
}
