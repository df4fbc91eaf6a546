import { type ByteView, holdSame } from "../lines/byte-view.ts";
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
} from "../lines/capture-record.ts";
import { noPlace, PlaceTable } from "./place-table.ts";

export interface JobCounts {
  indexed: number;
  /** The number of fetched URLs without a stored capture. */
  withoutOrigin: number;
}

/** The entries of an index, as offsets of records. */
export interface JoinedCaptures {
  records: ByteView;
  /** The offset of the fetched URL of each entry. */
  fetched: Int32Array;
  /**
   * The offset of the stored capture that is the entry's origin; `noPlace` if the fetched URL names its
   * origin.
   */
  stored: Int32Array;
}

/**
 * Joins the records of one shard by URL. A fetched URL of a job gets the origin that it names or, if it names
 * none, the newest stored capture of the job. Among captures with the same content, only the earliest is
 * kept, because it is the original.
 * @param records of all jobs
 * @param jobEnds the offset at which the records of each job end
 */
export function joinCaptures(
  records: ByteView,
  jobEnds: readonly number[],
): { entries: JoinedCaptures; jobs: JobCounts[] } {
  const counted = countRecords(records, 0, records.bytes.length);
  const newest = new PlaceTable(counted.stored);
  const originals = new Originals(records, counted.fetched);
  let start = 0;
  const jobs = jobEnds.map((end) => {
    newest.reset(countRecords(records, start, end).stored);
    for (let at = start; at < end; at = endOf(records, at)) {
      if (isStored(records, at)) keepNewest(newest, records, at);
    }
    const counts = { indexed: 0, withoutOrigin: 0 };
    for (let at = start; at < end; at = endOf(records, at)) {
      if (isStored(records, at)) continue;
      const isDuplicate = namesOrigin(records, at);
      const stored = isDuplicate ? noPlace : newest.get(slotOfUrl(newest, records, at));
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

function countRecords(records: ByteView, start: number, end: number): { stored: number; fetched: number } {
  const counts = { stored: 0, fetched: 0 };
  for (let at = start; at < end; at = endOf(records, at)) {
    if (isStored(records, at)) counts.stored += 1;
    else counts.fetched += 1;
  }
  return counts;
}

function keepNewest(newest: PlaceTable, records: ByteView, stored: number): void {
  const slot = slotOfUrl(newest, records, stored);
  const known = newest.get(slot);
  const isNewer =
    known === noPlace ||
    compareDates(records, storedDateOf(records, known), storedDateOf(records, stored)) < 0;
  if (isNewer) newest.set(slot, stored);
}

/** The earliest capture of each URL and digest. */
class Originals {
  private readonly records: ByteView;
  /** The numbers of entries. */
  private readonly table: PlaceTable;
  private readonly fetched: Int32Array;
  private readonly stored: Int32Array;
  private count = 0;

  constructor(records: ByteView, most: number) {
    this.records = records;
    this.table = new PlaceTable(most);
    this.fetched = new Int32Array(most);
    this.stored = new Int32Array(most);
  }

  add(fetched: number, stored: number): void {
    const { records, table } = this;
    let slot = table.first(contentHash(records, fetched));
    for (let known = table.get(slot); known !== noPlace; known = table.get(slot)) {
      const original = this.fetched[known] as number;
      if (hasSameUrl(records, original, fetched) && hasSameDigest(records, original, fetched)) {
        const isEarlier =
          compareDates(records, fetchedDateOf(records, fetched), fetchedDateOf(records, original)) < 0;
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
    const { records, fetched, stored, count } = this;
    return { records, fetched: fetched.subarray(0, count), stored: stored.subarray(0, count) };
  }

  private put(entry: number, fetched: number, stored: number): void {
    this.fetched[entry] = fetched;
    this.stored[entry] = stored;
  }
}

/** Returns the slot of the record with the same URL, or a free slot for it. */
function slotOfUrl(table: PlaceTable, records: ByteView, record: number): number {
  let slot = table.first(hashOf(records, record));
  for (let known = table.get(slot); known !== noPlace; known = table.get(slot)) {
    if (hasSameUrl(records, known, record)) break;
    slot = table.next(slot);
  }
  return slot;
}

function hasSameUrl(records: ByteView, one: number, other: number): boolean {
  if (hashOf(records, one) !== hashOf(records, other)) return false;
  const length = restOf(records, one) - urlOf(one);
  if (length !== restOf(records, other) - urlOf(other)) return false;
  return holdSame(records, { one: urlOf(one), other: urlOf(other) }, length);
}

/** Compares digests, case-insensitively. */
function hasSameDigest(records: ByteView, one: number, other: number): boolean {
  const [start, otherStart] = [restOf(records, one), restOf(records, other)];
  const length = digestEndOf(records, one) - start;
  if (length !== digestEndOf(records, other) - otherStart) return false;
  const { bytes } = records;
  for (let at = 0; at < length; at += 1) {
    if (inUpperCase(bytes[start + at] as number) !== inUpperCase(bytes[otherStart + at] as number))
      return false;
  }
  return true;
}

const hashedDigestBytes = 8;

/** Returns a hash of the URL and of the beginning of the digest. */
function contentHash(records: ByteView, fetched: number): number {
  const start = restOf(records, fetched);
  const end = Math.min(start + hashedDigestBytes, digestEndOf(records, fetched));
  let hash = hashOf(records, fetched);
  const { bytes } = records;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ inUpperCase(bytes[at] as number), 0x01000193);
  }
  return hash;
}

function inUpperCase(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}

/** Compares dates. @param one the offset of a date, like `other` */
export function compareDates({ bytes }: ByteView, one: number, other: number): number {
  for (let digit = 0; digit < dateLength; digit += 1) {
    const difference = (bytes[one + digit] as number) - (bytes[other + digit] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
