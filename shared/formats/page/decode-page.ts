import { lateMetaCharsetOf, metaCharsetIn } from "../../web/encoding/meta-charset.ts";
import {
  charsetIn,
  decodeStrictly,
  markedEncoding,
  startOf,
  xmlDeclaredIn,
} from "../../xml/character-encoding.ts";
import { maxPageBytes } from "../limits.ts";

type DecodedPage =
  | { type: "text"; text: string; encoding: string }
  | { type: "no-text"; reason: "empty" | "not-html" | "encoding"; detail: string };

/** Labels that the standard maps to its replacement decoder, because these encodings can hide markup. */
const replacedLabels = new Set([
  "replacement",
  "csiso2022kr",
  "hz-gb-2312",
  "iso-2022-cn",
  "iso-2022-cn-ext",
  "iso-2022-kr",
]);

/** Media types of pages. For unspecific media types, the bytes are checked. */
const pageMediaTypes = /^(?:|text\/(?:html|plain|xml)|application\/(?:xhtml\+xml|xml|octet-stream))$/;

/**
 * Decodes a page by its byte order mark, Content-Type, XML declaration or meta tag, in this order. Without them, the
 * page is decoded as UTF-8 if it is valid UTF-8, otherwise as windows-1252. Invalid bytes become U+FFFD. At most
 * `maxPageBytes` are read.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decodePage(body: Uint8Array, contentType = ""): DecodedPage {
  const mediaType = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const bytes = body.subarray(0, maxPageBytes);
  const start = startOf(bytes);

  if (!pageMediaTypes.test(mediaType)) return { type: "no-text", reason: "not-html", detail: mediaType };

  const label =
    markedEncoding(start) ??
    knownLabel(charsetIn(contentType)) ??
    knownLabel(declaredLabel(start)) ??
    knownLabel(lateMetaCharsetOf(bytes));
  if (label !== undefined && replacedLabels.has(label))
    return { type: "no-text", reason: "encoding", detail: `the encoding ${label} is not supported` };

  const encoding = label ?? (decodeStrictly(bytes, "utf-8") === undefined ? "windows-1252" : "utf-8");
  // Some HTML pages contain NUL, so with an HTML media type, only PDF is rejected.
  const looksBinary = start.startsWith("%PDF-") || (mediaType === "" && hasBinaryBytes(start));
  if (!encoding.startsWith("utf-16") && looksBinary)
    return { type: "no-text", reason: "not-html", detail: "binary data" };
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.trim() === "") return { type: "no-text", reason: "empty", detail: `${body.length} bytes` };
  return { type: "text", text, encoding };
}

/**
 * Returns the name of the encoding.
 * @returns undefined for an unknown label
 */
function knownLabel(label: string | undefined): string | undefined {
  const name = label?.trim().toLowerCase();
  if (name === undefined || replacedLabels.has(name)) return name;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/**
 * Returns the encoding that the page itself declares. A declaration of UTF-16 in single bytes is wrong; the standard
 * treats it as UTF-8.
 */
function declaredLabel(start: string): string | undefined {
  const declared = xmlDeclaredIn(start) ?? metaCharsetIn(start);
  return declared !== undefined && /^utf-16/i.test(declared) ? "utf-8" : declared;
}

/** @see https://mimesniff.spec.whatwg.org/#binary-data-byte */
function hasBinaryBytes(start: string): boolean {
  return [...start].some((character) => character < " " && !"\t\n\f\r\u001b".includes(character));
}
