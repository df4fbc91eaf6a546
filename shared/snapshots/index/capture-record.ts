/*
 * What is read of crawl logs and CDXs, as records of bytes. A record is the hash of the URL, the length of the URL, the length
 * of the record with the kind in its highest bit (each 32 bits, little-endian), the URL and the rest. The rest of a fetched URL
 * is `digest date origin`, with an empty origin if it repeats none; of a stored capture `file,offset,date`. A record is named
 * by its place in the bytes of many.
 */

export const headerBytes = 12;

export const storedBit = 0x80000000;

/** Of a date: `YYYYMMDDhhmmssSSS`. */
export const dateLength = 17;

const blank = 0x20;

/** @param kind `storedBit`, or 0 for a fetched URL */
export function writeHeader(
  bytes: Uint8Array,
  record: number,
  { hash, urlBytes, restBytes, kind }: { hash: number; urlBytes: number; restBytes: number; kind: number },
): void {
  writeUint32(bytes, record, hash);
  writeUint32(bytes, record + 4, urlBytes);
  writeUint32(bytes, record + 8, (headerBytes + urlBytes + restBytes) | kind);
}

/** The next record's place. */
export function endOf(bytes: Uint8Array, record: number): number {
  return record + (readInt32(bytes, record + 8) & ~storedBit);
}

export function isStored(bytes: Uint8Array, record: number): boolean {
  return ((bytes[record + 11] as number) & 0x80) !== 0;
}

/** With a sign. */
export function hashOf(bytes: Uint8Array, record: number): number {
  return readInt32(bytes, record);
}

/** The place of the URL. */
export function urlOf(record: number): number {
  return record + headerBytes;
}

/** The place after the URL, which is that of the rest. */
export function restOf(bytes: Uint8Array, record: number): number {
  return record + headerBytes + readInt32(bytes, record + 4);
}

/** The place of a stored capture's date. */
export function storedDateOf(bytes: Uint8Array, stored: number): number {
  return endOf(bytes, stored) - dateLength;
}

/** The place after a fetched URL's digest. */
export function digestEndOf(bytes: Uint8Array, fetched: number): number {
  let at = restOf(bytes, fetched);
  while (bytes[at] !== blank) at += 1;
  return at;
}

/** The place of a fetched URL's date. */
export function fetchedDateOf(bytes: Uint8Array, fetched: number): number {
  return digestEndOf(bytes, fetched) + 1;
}

/** Whether a fetched URL names the capture that it repeats. */
export function namesOrigin(bytes: Uint8Array, fetched: number): boolean {
  return endOf(bytes, fetched) > fetchedDateOf(bytes, fetched) + dateLength + 1;
}

function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

function readInt32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
