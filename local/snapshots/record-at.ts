import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { createInflateRaw } from "node:zlib";
import type { CdxjLine } from "../../shared/snapshots/wacz/wacz-index.ts";
import { mimeType } from "../../shared/snapshots/warc/cdxj.ts";

/** The header of a record, and the head of its response. */
const maxHeadBytes = 256 * 1024;

/** The end of a gzip member: checksum and size. */
const trailerBytes = 8;

/**
 * A response in a WARC file that has no index here, as a line of one.
 * @param place.timestamp by which it is referred to
 * @returns undefined when no response of this URL is at the place
 */
export async function recordAt(
  path: string,
  { offset, url, timestamp }: { offset: number; url: string; timestamp: string },
): Promise<CdxjLine | undefined> {
  const start = gzipHeaderBytes(path, offset);
  const member = start === undefined ? undefined : await readMember(path, offset + start);
  if (start === undefined || member === undefined) return undefined;
  const [header = "", ...rest] = member.text.split("\r\n\r\n");
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
      length: String(start + member.sizeBytes + trailerBytes),
      offset: String(offset),
      filename: basename(path),
    },
  };
}

/** @returns the text at its beginning, in Latin-1, and the size of the compressed data */
async function readMember(
  path: string,
  start: number,
): Promise<{ text: string; sizeBytes: number } | undefined> {
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

/** The size of the header of a gzip member; undefined of what is none. @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3 */
function gzipHeaderBytes(path: string, offset: number): number | undefined {
  const start = Buffer.alloc(1024);
  const file = openSync(path, "r");
  try {
    readSync(file, start, 0, start.byteLength, offset);
  } finally {
    closeSync(file);
  }
  if (start.readUInt16BE(0) !== 0x1f8b) return undefined;
  const flags = start[3] ?? 0;
  let size = 10;
  if (flags & 4) size += 2 + start.readUInt16LE(size);
  // The name and the comment end with a zero byte.
  for (const flag of [8, 16]) if (flags & flag) size = start.indexOf(0, size) + 1;
  return flags & 2 ? size + 2 : size;
}

function fieldIn(header: string, name: string): string | undefined {
  const [, value] = new RegExp(`^${name}: *<?(.*?)>?\\r?$`, "im").exec(header) ?? [];
  return value;
}
