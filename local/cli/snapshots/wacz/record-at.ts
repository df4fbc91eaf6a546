import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { createInflateRaw } from "node:zlib";
import type { CdxjLine } from "../../../../shared/snapshots/wacz/wacz-index.ts";
import { mimeType } from "../../../../shared/snapshots/warc/mime-type.ts";
import { recordEnd } from "../../../../shared/snapshots/warc/warc-record.ts";

/** The header of a record, and the head of its response. */
const maxHeadBytes = 256 * 1024;

/** The end of a gzip member: checksum and size. */
const trailerBytes = 8;

const emptyLine = "\r\n\r\n";

/**
 * A response in a WARC file that has no index here, as a line of one.
 * @param place.timestamp by which it is referred to
 * @returns undefined when no response of this URL is at the place
 */
export async function recordAt(
  path: string,
  { offset, url, timestamp }: { offset: number; url: string; timestamp: string },
): Promise<CdxjLine | undefined> {
  const record = await readRecord(path, offset);
  if (record === undefined) return undefined;
  const [header = "", ...rest] = record.text.split(emptyLine);
  if (fieldIn(header, "WARC-Type") !== "response" || fieldIn(header, "WARC-Target-URI") !== url)
    return undefined;
  const head = rest[0] ?? "";
  const [, status = "-"] = /^\S+ +(\d{3})/.exec(head) ?? [];
  const digest = fieldIn(header, "WARC-Payload-Digest");
  return {
    timestamp,
    fields: {
      url,
      mime: mimeType(fieldIn(head, "Content-Type")),
      status,
      ...(digest !== undefined && { digest }),
      length: String(record.sizeBytes),
      offset: String(offset),
      filename: basename(path),
    },
  };
}

/** @property text at its beginning, in Latin-1 @property sizeBytes in the file */
interface StoredRecord {
  text: string;
  sizeBytes: number;
}

async function readRecord(path: string, offset: number): Promise<StoredRecord | undefined> {
  const start = Buffer.alloc(1024);
  const bytes = readBytes(path, offset, start);
  if (start.readUInt16BE(0) !== 0x1f8b) return plainRecord(path, offset);
  const headerBytes = gzipHeaderBytes(start.subarray(0, bytes));
  const member = await readMember(path, offset + headerBytes);
  return member && { ...member, sizeBytes: headerBytes + member.sizeBytes + trailerBytes };
}

/** A record of a file that is not compressed. */
function plainRecord(path: string, offset: number): StoredRecord | undefined {
  const start = Buffer.alloc(maxHeadBytes);
  const text = start.toString("latin1", 0, readBytes(path, offset, start));
  const headerChars = text.indexOf(emptyLine) + emptyLine.length;
  const blockBytes = fieldIn(text.slice(0, headerChars), "Content-Length");
  if (!text.startsWith("WARC/") || blockBytes === undefined) return undefined;
  return { text, sizeBytes: headerChars + Number(blockBytes) + recordEnd.length };
}

/** Fills a buffer with the bytes of a file from a place on. @returns how many there were */
export function readBytes(path: string, offset: number, into: Buffer): number {
  const file = openSync(path, "r");
  try {
    return readSync(file, into, 0, into.byteLength, offset);
  } finally {
    closeSync(file);
  }
}

/** @property sizeBytes of the compressed data */
async function readMember(path: string, start: number): Promise<StoredRecord | undefined> {
  const inflate = createInflateRaw();
  const file = createReadStream(path, { start });
  file.on("error", (error) => inflate.destroy(error));
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of file.pipe(inflate) as AsyncIterable<Buffer>) {
      if (size < maxHeadBytes) pieces.push(piece);
      size += piece.byteLength;
    }
  } catch {
    return undefined;
  } finally {
    file.destroy();
  }
  return { text: Buffer.concat(pieces).toString("latin1"), sizeBytes: inflate.bytesWritten };
}

/** The size of the header of a gzip member. @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3 */
function gzipHeaderBytes(start: Buffer): number {
  const flags = start[3] ?? 0;
  let size = 10;
  if (flags & 4) size += 2 + start.readUInt16LE(size);
  // The name and the comment end with a zero byte.
  for (const flag of [8, 16]) if (flags & flag) size = start.indexOf(0, size) + 1;
  return flags & 2 ? size + 2 : size;
}

/** A named field of the header of a record or of a response, without angle brackets; undefined without one. */
export function fieldIn(header: string, name: string): string | undefined {
  const [, value] = new RegExp(`^${name}: *<?(.*?)>?\\r?$`, "im").exec(header) ?? [];
  return value;
}
