import { gunzipIfPacked } from "../../web/encoding/gunzip.ts";
import { charsetIn, decodeStrictly, markedEncoding, startOf } from "../../xml/character-encoding.ts";

type DecodedFeed =
  /** `problem`: the fault of the first stated encoding. */
  | { type: "text"; text: string; problem?: string | undefined }
  /** `start`: the first bytes as Latin-1, which are enough to recognise HTML. */
  | { type: "undecodable"; reason: "truncated" | "too-large" | "encoding"; detail: string; start: string };

/** A feed with a year's articles and abstracts has about 2 MB. */
const maxUnpackedBytes = 64 * 1024 * 1024;

const unpackProblems = {
  truncated: { reason: "truncated", detail: "its compressed data ends too early" },
  "too-large": {
    reason: "too-large",
    detail: `it has more than ${maxUnpackedBytes} bytes after decompression`,
  },
  damaged: { reason: "encoding", detail: "its compressed data is damaged" },
} as const;

/** A stated encoding with its origin, such as "utf-8" and "the Content-Type says". */
interface EncodingClaim {
  by: string;
  label: string;
}

const defaultEncodings: EncodingClaim[] = [
  { by: "XML's default is", label: "utf-8" },
  { by: "the usual exception is", label: "windows-1252" },
];

/**
 * Decodes a feed by its byte order mark, the charset of the Content-Type, or the XML declaration, in this order.
 * Without them, the feed is decoded as UTF-8 or, if that fails, as windows-1252. An encoding is skipped if the bytes
 * are not valid in it. Gzipped bytes are decompressed.
 * @see https://www.rfc-editor.org/rfc/rfc7303#section-3
 * @see https://encoding.spec.whatwg.org/
 */
export function decodeFeed(body: Uint8Array, contentType: string | undefined): DecodedFeed {
  const unpacked = gunzipIfPacked(body, maxUnpackedBytes);
  if (unpacked.type !== "bytes") {
    return { type: "undecodable", start: "", ...unpackProblems[unpacked.type] };
  }
  const { bytes } = unpacked;
  const start = startOf(bytes);
  const claims = findEncodingClaims(start, contentType);
  const contradicted: string[] = [];
  for (const { by, label } of claims.length > 0 ? claims : defaultEncodings) {
    // A character truncated at the end is accepted, because the parser reports that the feed is truncated.
    const text = decodeStrictly(bytes, label);
    if (text !== undefined) return { type: "text", text, problem: contradicted[0] };
    contradicted.push(`${by} "${label}", but the text is not valid in it`);
  }
  return { type: "undecodable", reason: "encoding", detail: contradicted.join(", and "), start };
}

/** Returns the stated encodings, the most authoritative first. */
function findEncodingClaims(start: string, contentType: string | undefined): EncodingClaim[] {
  const mark = markedEncoding(start);
  if (mark !== undefined) return [{ by: "its byte order says", label: mark }];

  const charset = charsetIn(contentType);
  const declared = /<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([^\s"']+)/.exec(start)?.[1];
  return [
    ...(charset === undefined ? [] : [{ by: "the Content-Type says", label: charset }]),
    // A declaration of UTF-16 in a text of single bytes is wrong.
    ...(declared === undefined || /^utf-?16/i.test(declared)
      ? []
      : [{ by: "the XML declaration says", label: declared }]),
  ];
}
