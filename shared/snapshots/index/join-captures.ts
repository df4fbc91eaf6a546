import {
  dateLength,
  digestEndOf,
  endOf,
  fetchedDateOf,
  hashOf,
  isStored,
  namesOrigin,
  restOf,
  storedDateOf,
  urlOf,
} from "./capture-record.ts";
import { noPlace, PlaceTable } from "./place-table.ts";

/** What a later capture may be a duplicate of. */
export interface IndexEntry {
  url: string;
  digest: string;
  /** Of the original capture, `YYYYMMDDhhmmssSSS`. */
  date: string;
  /** Where its payload is: `file,offset[,date]`. */
  origin: string;
}

export interface JobCounts {
  indexed: number;
  /** Fetched URLs of which no capture is stored. */
  withoutOrigin: number;
}

/** Entries of an index, as places of records. */
export interface JoinedCaptures {
  bytes: Buffer;
  /** The fetched URL of each entry. */
  fetched: Int32Array;
  /** The stored capture that is its origin; `noPlace` if the fetched URL names its own. */
  stored: Int32Array;
}

/**
 * Joins the records of one shard by URL: a fetched URL of a job gets the origin that it names, or else the newest stored
 * capture of the job. Of captures with the same content the earliest stays, as it is the original.
 * @param bytes the records of all jobs
 * @param jobEnds where the records of each job end
 */
export function joinCaptures(
  bytes: Buffer,
  jobEnds: readonly number[],
): { entries: JoinedCaptures; jobs: JobCounts[] } {
  const counted = countRecords(bytes);
  const newest = new PlaceTable(counted.stored);
  const originals = new Originals(bytes, counted.fetched);
  let start = 0;
  const jobs = jobEnds.map((end) => {
    newest.clear();
    for (let at = start; at < end; at = endOf(bytes, at)) {
      if (isStored(bytes, at)) keepNewest(newest, bytes, at);
    }
    const counts = { indexed: 0, withoutOrigin: 0 };
    for (let at = start; at < end; at = endOf(bytes, at)) {
      if (isStored(bytes, at)) continue;
      const isDuplicate = namesOrigin(bytes, at);
      const stored = isDuplicate ? noPlace : newest.get(slotOfUrl(newest, bytes, at));
      if (stored === noPlace && !isDuplicate) counts.withoutOrigin += 1;
      else {
        originals.add(at, stored);
        counts.indexed += 1;
      }
    }
    start = end;
    return counts;
  });
  return { entries: originals.entries(), jobs };
}

function countRecords(bytes: Uint8Array): { stored: number; fetched: number } {
  const counts = { stored: 0, fetched: 0 };
  for (let at = 0; at < bytes.length; at = endOf(bytes, at)) {
    if (isStored(bytes, at)) counts.stored += 1;
    else counts.fetched += 1;
  }
  return counts;
}

function keepNewest(newest: PlaceTable, bytes: Uint8Array, stored: number): void {
  const slot = slotOfUrl(newest, bytes, stored);
  const known = newest.get(slot);
  const isNewer =
    known === noPlace || compareDates(bytes, storedDateOf(bytes, known), storedDateOf(bytes, stored)) < 0;
  if (isNewer) newest.set(slot, stored);
}

/** The earliest capture of each URL and digest. */
class Originals {
  private readonly bytes: Buffer;
  /** Numbers of entries. */
  private readonly table: PlaceTable;
  private readonly fetched: Int32Array;
  private readonly stored: Int32Array;
  private count = 0;

  constructor(bytes: Buffer, most: number) {
    this.bytes = bytes;
    this.table = new PlaceTable(most);
    this.fetched = new Int32Array(most);
    this.stored = new Int32Array(most);
  }

  add(fetched: number, stored: number): void {
    const { bytes, table } = this;
    let slot = table.first(contentHash(bytes, fetched));
    for (let known = table.get(slot); known !== noPlace; known = table.get(slot)) {
      const original = this.fetched[known] as number;
      if (hasSameUrl(bytes, original, fetched) && hasSameDigest(bytes, original, fetched)) {
        const isEarlier =
          compareDates(bytes, fetchedDateOf(bytes, fetched), fetchedDateOf(bytes, original)) < 0;
        if (isEarlier) this.put(known, fetched, stored);
        return;
      }
      slot = table.next(slot);
    }
    table.set(slot, this.count);
    this.put(this.count, fetched, stored);
    this.count += 1;
  }

  entries(): JoinedCaptures {
    const { bytes, fetched, stored, count } = this;
    return { bytes, fetched: fetched.subarray(0, count), stored: stored.subarray(0, count) };
  }

  private put(entry: number, fetched: number, stored: number): void {
    this.fetched[entry] = fetched;
    this.stored[entry] = stored;
  }
}

/** The slot of the record with the same URL, or the free one for it. */
function slotOfUrl(table: PlaceTable, bytes: Uint8Array, record: number): number {
  let slot = table.first(hashOf(bytes, record));
  for (let known = table.get(slot); known !== noPlace; known = table.get(slot)) {
    if (hasSameUrl(bytes, known, record)) break;
    slot = table.next(slot);
  }
  return slot;
}

function hasSameUrl(bytes: Uint8Array, one: number, other: number): boolean {
  if (hashOf(bytes, one) !== hashOf(bytes, other)) return false;
  const length = restOf(bytes, one) - one;
  if (length !== restOf(bytes, other) - other) return false;
  for (let at = urlOf(one) - one; at < length; at += 1) {
    if (bytes[one + at] !== bytes[other + at]) return false;
  }
  return true;
}

/** Digests count in any case. */
function hasSameDigest(bytes: Uint8Array, one: number, other: number): boolean {
  const [start, otherStart] = [restOf(bytes, one), restOf(bytes, other)];
  const length = digestEndOf(bytes, one) - start;
  if (length !== digestEndOf(bytes, other) - otherStart) return false;
  for (let at = 0; at < length; at += 1) {
    if (inUpperCase(bytes[start + at] as number) !== inUpperCase(bytes[otherStart + at] as number))
      return false;
  }
  return true;
}

const hashedDigestBytes = 8;

/** Of the URL, and of the beginning of the digest. */
function contentHash(bytes: Uint8Array, fetched: number): number {
  const start = restOf(bytes, fetched);
  const end = Math.min(start + hashedDigestBytes, digestEndOf(bytes, fetched));
  let hash = hashOf(bytes, fetched);
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ inUpperCase(bytes[at] as number), 0x01000193);
  }
  return hash;
}

function inUpperCase(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}

/** @param one place of a date; so is `other` */
export function compareDates(bytes: Uint8Array, one: number, other: number): number {
  for (let digit = 0; digit < dateLength; digit += 1) {
    const difference = (bytes[one + digit] as number) - (bytes[other + digit] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
