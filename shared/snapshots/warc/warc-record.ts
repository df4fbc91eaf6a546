import { sha1DigestOf } from "./sha1-digest.ts";

type WarcRecordType = "warcinfo" | "request" | "response" | "metadata" | "revisit";

/** The content of a record. Its length and digest come before it in the file, so it is complete when it is written. */
export interface WarcBlock {
  sizeBytes: number;
  /** `sha1:` and base 32. */
  digest: string;
  /** May be read more than once. */
  chunks(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface WarcRecord {
  type: WarcRecordType;
  /** `urn:uuid:…` */
  id: string;
  /** Absent only of a warcinfo. */
  targetUri?: string;
  date: Date;
  contentType: string;
  /** Further named fields, in their order. */
  fields: readonly (readonly [name: string, value: string])[];
  block: WarcBlock;
  /** Whether it is stored as it is, without compression. */
  isStored?: boolean;
}

/** A block that is held in memory. */
export function blockOf(content: Uint8Array | string): WarcBlock {
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  return { sizeBytes: bytes.byteLength, digest: sha1DigestOf(bytes), chunks: () => [bytes] };
}

/**
 * The header of a record, with the empty line after it.
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

/** To the second, as indexes of captures have it: a revisit names its original by this date. */
export function warcDate(date: Date): string {
  return `${date.toISOString().slice(0, -".000Z".length)}Z`;
}

/** The empty lines after a block. */
export const recordEnd: Uint8Array = Buffer.from("\r\n\r\n");

/** Named fields as the content of a record (`application/warc-fields`). */
export function formatFields(fields: readonly (readonly [name: string, value: string])[]): string {
  let text = "";
  for (const [name, value] of fields) text += formatField(name, value);
  return text;
}

function formatField(name: string, value: string): string {
  return `${name}: ${oneLine(value)}\r\n`;
}

/** A line break in a value would begin another field. */
function oneLine(value: string): string {
  return /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]+/g, " ") : value;
}
