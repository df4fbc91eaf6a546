import type { ByteView } from "./byte-view.ts";

/**
 * Lines of crawl logs and CDXs as records of bytes.
 * A record begins with four 32-bit numbers (little-endian): the hash of the URL; the length of the record,
 * with the kind in the highest bit; the offset of the rest; and the end of the first field of the rest.
 * Offsets are relative to the start of the record. The URL and the rest follow. The rest of a fetched URL is
 * `digest date origin`; the origin is empty if the URL repeats no capture. The rest of a stored capture is
 * `file,offset,date`. A record is identified by its offset in a view of many records.
 */

export const headerBytes = 16;

export const storedBit = 0x80000000;

/** The length of a date: `YYYYMMDDhhmmssSSS`. */
export const dateLength = 17;

export interface RecordSizes {
  urlBytes: number;
  /** The first bytes of the digest, or of the name of the file. */
  firstBytes: number;
  restBytes: number;
}

/** Writes the header of a record. @param kind `storedBit`, or 0 for a fetched URL */
export function writeHeader(
  { words }: ByteView,
  record: number,
  { hash, kind, sizes }: { hash: number; kind: number; sizes: RecordSizes },
): void {
  const rest = headerBytes + sizes.urlBytes;
  words.setInt32(record, hash, true);
  words.setInt32(record + 4, (rest + sizes.restBytes) | kind, true);
  words.setInt32(record + 8, rest, true);
  words.setInt32(record + 12, rest + sizes.firstBytes, true);
}

/** Returns the offset of the next record. */
export function endOf({ words }: ByteView, record: number): number {
  return record + (words.getInt32(record + 4, true) & ~storedBit);
}

export function isStored({ words }: ByteView, record: number): boolean {
  return words.getInt32(record + 4, true) < 0;
}

/** Returns the hash as a signed number. */
export function hashOf({ words }: ByteView, record: number): number {
  return words.getInt32(record, true);
}

/** Returns the offset of the URL. */
export function urlOf(record: number): number {
  return record + headerBytes;
}

/** Returns the offset after the URL, at which the rest begins. */
export function restOf({ words }: ByteView, record: number): number {
  return record + words.getInt32(record + 8, true);
}

/** Returns the offset of a stored capture's date. */
export function storedDateOf(view: ByteView, stored: number): number {
  return endOf(view, stored) - dateLength;
}

/** Returns the offset after a fetched URL's digest. */
export function digestEndOf({ words }: ByteView, fetched: number): number {
  return fetched + words.getInt32(fetched + 12, true);
}

/** Returns the offset of a fetched URL's date. */
export function fetchedDateOf(view: ByteView, fetched: number): number {
  return digestEndOf(view, fetched) + 1;
}

/** Returns whether a fetched URL names the capture that it repeats. */
export function namesOrigin(view: ByteView, fetched: number): boolean {
  return endOf(view, fetched) > fetchedDateOf(view, fetched) + dateLength + 1;
}
