import { sha1DigestOf } from "./sha1-digest.ts";

export type WarcRecordType = "warcinfo" | "request" | "response" | "metadata" | "revisit";

/**
 * The content of a record. Its length and digest precede it in the file, so it must be complete before it is
 * written.
 */
export interface WarcBlock {
  sizeBytes: number;
  /** `sha1:` and base32. */
  digest: string;
  /** Returns the content. Can be called more than once. */
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface WarcRecord {
  type: WarcRecordType;
  /** The id: `urn:uuid:…` */
  id: string;
  /** The URL of the capture; absent only in a warcinfo record. */
  targetUri?: string;
  date: Date;
  contentType: string;
  /** Further named fields, in order. */
  fields: readonly (readonly [name: string, value: string])[];
  block: WarcBlock;
  /** Whether it is stored without compression. */
  isStored?: boolean;
}

/** Returns a block with content in memory. */
export function blockOf(content: Uint8Array | string): WarcBlock {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  return { sizeBytes: bytes.byteLength, digest: sha1DigestOf(bytes), chunks: () => [bytes] };
}

/**
 * Formats the header of a record, including the empty line after it.
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#named-fields
 */
export function formatHeader({ type, id, targetUri, date, contentType, fields, block }: WarcRecord): string {
  return [
    "WARC/1.1\r\n",
    formatField("WARC-Type", type),
    formatField("WARC-Record-ID", `<${id}>`),
    formatField("WARC-Date", warcDate(date)),
    targetUri === undefined ? "" : formatField("WARC-Target-URI", targetUri),
    formatFields(fields),
    formatField("WARC-Block-Digest", block.digest),
    formatField("Content-Type", contentType),
    formatField("Content-Length", String(block.sizeBytes)),
    "\r\n",
  ].join("");
}

/**
 * Formats a date to the second, as in indexes of captures, because a revisit names its original by this date.
 */
export function warcDate(date: Date): string {
  return `${date.toISOString().slice(0, -".000Z".length)}Z`;
}

/** The empty lines after a block. */
export const recordEnd: Uint8Array = Buffer.from("\r\n\r\n");

/** Formats named fields as the content of a record (`application/warc-fields`). */
export function formatFields(fields: readonly (readonly [name: string, value: string])[]): string {
  let text = "";
  for (const [name, value] of fields) text += formatField(name, value);
  return text;
}

function formatField(name: string, value: string): string {
  return `${name}: ${oneLine(value)}\r\n`;
}

/** Replaces line breaks, because a line break in a value would begin another field. */
function oneLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+/g, " ") : value;
}
