import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { createInflateRaw } from "node:zlib";
import type { CdxjLine } from "../../../../shared/snapshots/wacz/wacz-index.ts";
import { fieldIn } from "../../../../shared/snapshots/warc/header-field.ts";
import { mimeType } from "../../../../shared/snapshots/warc/mime-type.ts";
import { recordEnd } from "../../../../shared/snapshots/warc/warc-record.ts";

/** The maximum size of a record's header and the head of its response. */
const maxHeadBytes = 256 * 1024;

/** The size of the end of a gzip member: checksum and length. */
const trailerBytes = 8;

const emptyLine = "\r\n\r\n";

/**
 * Describes a response in a WARC file without an index, as a line of an index.
 * @param place.timestamp the timestamp by which a revisit refers to the response
 * @returns undefined if there is no response of this URL at the place
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

/** A record in a file. @property text its beginning, in Latin-1 @property sizeBytes its size in the file */
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

/** Reads a record of an uncompressed file. */
function plainRecord(path: string, offset: number): StoredRecord | undefined {
  const start = Buffer.alloc(maxHeadBytes);
  const text = start.toString("latin1", 0, readBytes(path, offset, start));
  const headerChars = text.indexOf(emptyLine) + emptyLine.length;
  const blockBytes = fieldIn(text.slice(0, headerChars), "Content-Length");
  if (!text.startsWith("WARC/") || blockBytes === undefined) return undefined;
  return { text, sizeBytes: headerChars + Number(blockBytes) + recordEnd.length };
}

/** Fills a buffer with bytes of a file, from an offset on. @returns the number of bytes read */
export function readBytes(path: string, offset: number, into: Buffer): number {
  const file = openSync(path, "r");
  try {
    return readSync(file, into, 0, into.byteLength, offset);
  } finally {
    closeSync(file);
  }
}

/** Reads a gzip member. @property sizeBytes the size of the compressed data */
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

/**
 * Returns the size of the header of a gzip member. @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3
 */
function gzipHeaderBytes(start: Buffer): number {
  const flags = start[3] ?? 0;
  let size = 10;
  if (flags & 4) size += 2 + start.readUInt16LE(size);
  // The name and the comment each end with a zero byte.
  for (const flag of [8, 16]) if (flags & flag) size = start.indexOf(0, size) + 1;
  return flags & 2 ? size + 2 : size;
}
