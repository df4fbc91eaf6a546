import type { ByteView } from "./byte-view.ts";

/*
 * What is read of crawl logs and CDXs, as records of bytes. A record is four numbers of 32 bits (little-endian): the
 * hash of the URL, the length of the record with the kind in its highest bit, where the rest begins, and where the
 * rest's first field ends, from the start of the record; then the URL and the rest. The rest of a fetched URL is
 * `digest date origin`, with an empty origin if it repeats none; of a stored capture `file,offset,date`. A record is
 * named by its place in the bytes of many.
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

/** @param kind `storedBit`, or 0 for a fetched URL */
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

/** The next record's place. */
export function endOf({ words }: ByteView, record: number): number {
  return record + (words.getInt32(record + 4, true) & ~storedBit);
}

export function isStored({ words }: ByteView, record: number): boolean {
  return words.getInt32(record + 4, true) < 0;
}

/** With a sign. */
export function hashOf({ words }: ByteView, record: number): number {
  return words.getInt32(record, true);
}

/** The place of the URL. */
export function urlOf(record: number): number {
  return record + headerBytes;
}

/** The place after the URL, which is that of the rest. */
export function restOf({ words }: ByteView, record: number): number {
  return record + words.getInt32(record + 8, true);
}

/** The place of a stored capture's date. */
export function storedDateOf(view: ByteView, stored: number): number {
  return endOf(view, stored) - dateLength;
}

/** The place after a fetched URL's digest. */
export function digestEndOf({ words }: ByteView, fetched: number): number {
  return fetched + words.getInt32(fetched + 12, true);
}

/** The place of a fetched URL's date. */
export function fetchedDateOf(view: ByteView, fetched: number): number {
  return digestEndOf(view, fetched) + 1;
}

/** Whether a fetched URL names the capture that it repeats. */
export function namesOrigin(view: ByteView, fetched: number): boolean {
  return endOf(view, fetched) > fetchedDateOf(view, fetched) + dateLength + 1;
}
