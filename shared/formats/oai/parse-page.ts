import {
  charsetIn,
  decodeStrictly,
  markedEncoding,
  startOf,
  xmlDeclaredIn,
} from "../../xml/character-encoding.ts";
import { MalformedXml } from "../../xml/malformed-xml.ts";
import { sanitizeXml } from "../../xml/sanitize-xml.ts";
import type { OaiPage } from "./page.ts";
import { type MetadataWish, NotOaiPmh, OaiPageReader } from "./page-reader.ts";

/** The response to an OAI-PMH request, or the reason why it cannot be read. */
export type OaiPageResult =
  | {
      type: "page";
      page: OaiPage;
      /** The fault that was repaired before the response could be read. */
      flaw?: string;
    }
  /** Well-formed XML with another root. */
  | { type: "not-oai-pmh"; root: string }
  /** Not XML, or truncated. */
  | { type: "malformed"; problem: string };

/**
 * Parses the body of a response strictly. If that fails, the text is repaired and parsed again. The HTTP status is not
 * considered, because repositories send OAI-PMH errors with various statuses.
 */
export function parseOaiPage(
  bytes: Uint8Array,
  { contentType, ...wish }: MetadataWish & { contentType?: string | undefined },
): OaiPageResult {
  if (bytes.byteLength === 0) return { type: "malformed", problem: "the response is empty" };
  const { text, flaw: encodingFlaw } = decode(bytes, contentType);
  const strict = read(text, wish);
  if (strict.type !== "malformed") return withFlaw(strict, encodingFlaw);
  const sanitized = sanitizeXml(text);
  if (sanitized === text) return strict;
  const lenient = read(sanitized, wish);
  if (lenient.type !== "page") return strict;
  return withFlaw(
    lenient,
    encodingFlaw === undefined ? strict.problem : `${encodingFlaw}; ${strict.problem}`,
  );
}

function read(text: string, wish: MetadataWish): OaiPageResult {
  const reader = new OaiPageReader(wish);
  try {
    reader.write(text);
    return { type: "page", page: reader.end() };
  } catch (error) {
    if (error instanceof NotOaiPmh) return notOaiPmh(text, error.root);
    if (error instanceof MalformedXml) return { type: "malformed", problem: error.message };
    throw error;
  }
}

/**
 * Returns the result for a document with another root element. It is `not-oai-pmh` only if the document is well-formed
 * to its end, which most HTML pages are not.
 */
function notOaiPmh(text: string, root: string): OaiPageResult {
  const reader = new OaiPageReader({}, { anyRoot: true });
  try {
    reader.write(text);
    reader.end();
    return { type: "not-oai-pmh", root };
  } catch (error) {
    if (error instanceof MalformedXml) return { type: "malformed", problem: error.message };
    throw error;
  }
}

function withFlaw(result: OaiPageResult, flaw: string | undefined): OaiPageResult {
  return result.type === "page" && flaw !== undefined ? { ...result, flaw } : result;
}

/** Decodes a body by the byte order mark, the XML declaration or the Content-Type, otherwise as UTF-8. */
function decode(bytes: Uint8Array, contentType: string | undefined): { text: string; flaw?: string } {
  const start = startOf(bytes);
  const named = markedEncoding(start) ?? xmlDeclaredIn(start) ?? charsetIn(contentType) ?? "utf-8";
  const text = decodeStrictly(bytes, named);
  if (text !== undefined) return { text };
  return { text: new TextDecoder("utf-8").decode(bytes), flaw: `${wrongEncoding} ${named}` };
}

const wrongEncoding = "it is not valid";

/** Decides whether a flaw concerns the encoding, so that letters may have been lost. */
export function isEncodingFlaw(flaw: string): boolean {
  return flaw.startsWith(wrongEncoding);
}
