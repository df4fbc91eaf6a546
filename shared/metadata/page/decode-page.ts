import {
  charsetIn,
  decodeStrictly,
  markedEncoding,
  startOf,
  xmlDeclaredIn,
} from "../../web/encoding/character-encoding.ts";
import { lateMetaCharsetOf, metaCharsetIn } from "../../web/encoding/meta-charset.ts";
import { maxPageBytes } from "../limits.ts";

export type DecodedPage =
  | { type: "text"; text: string; encoding: string }
  | { type: "no-text"; reason: "empty" | "not-html" | "encoding"; detail: string };

/** The labels that the standard maps to its replacement decoder, because text in them can hide markup. */
const replacedLabels = new Set([
  "replacement",
  "csiso2022kr",
  "hz-gb-2312",
  "iso-2022-cn",
  "iso-2022-cn-ext",
  "iso-2022-kr",
]);

/** Media types under which pages are served; of the vague ones the bytes decide. */
const pageMediaTypes = /^(?:|text\/(?:html|plain|xml)|application\/(?:xhtml\+xml|xml|octet-stream))$/;

/**
 * The text of a page, by the encoding that its byte order mark, its Content-Type, its XML declaration or a meta tag names,
 * in this order; without one UTF-8 when the bytes are UTF-8, else windows-1252.
 * Bytes that the encoding does not have become U+FFFD. Reads at most maxPageBytes.
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
    return { type: "no-text", reason: "encoding", detail: `${label} is not decoded` };

  const encoding = label ?? (decodeStrictly(bytes, "utf-8") === undefined ? "windows-1252" : "utf-8");
  // Templates do print a NUL now and then: who says HTML is believed, unless it is a PDF.
  const looksBinary = start.startsWith("%PDF-") || (mediaType === "" && hasBinaryBytes(start));
  if (!encoding.startsWith("utf-16") && looksBinary)
    return { type: "no-text", reason: "not-html", detail: "binary data" };
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.trim() === "") return { type: "no-text", reason: "empty", detail: `${body.length} bytes` };
  return { type: "text", text, encoding };
}

/** The encoding's name for a label that means something; undefined for one that does not. */
function knownLabel(label: string | undefined): string | undefined {
  const wanted = label?.trim().toLowerCase();
  if (wanted === undefined || replacedLabels.has(wanted)) return wanted;
  try {
    return new TextDecoder(wanted).encoding;
  } catch {
    return undefined;
  }
}

/** What the page says of itself. A page that says UTF-16 in single bytes is not; the standard takes it for UTF-8. */
function declaredLabel(start: string): string | undefined {
  const declared = xmlDeclaredIn(start) ?? metaCharsetIn(start);
  return declared !== undefined && /^utf-16/i.test(declared) ? "utf-8" : declared;
}

/** @see https://mimesniff.spec.whatwg.org/#binary-data-byte */
function hasBinaryBytes(start: string): boolean {
  return [...start].some((character) => character < " " && !"\t\n\f\r\u001b".includes(character));
}
