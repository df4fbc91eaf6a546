import type { MarcRecord } from "../../marc/record.ts";
import { variable } from "../aws/environment.ts";
import { getObject } from "../aws/s3.ts";

/** The size of the objects that are cached, which contain a few thousand records. */
const maxKeptBytes = 24 * 1024 * 1024;

/**
 * Returns the object of a record and the record's place in it, in bytes. Without a place, the record is the whole
 * object.
 */
export function placeOf(recordKey: string): { key: string; start?: number; length?: number } {
  const [, key, start, length] = /^(.*)#(\d+)-(\d+)$/.exec(recordKey) ?? [];
  return key === undefined ? { key: recordKey } : { key, start: Number(start), length: Number(length) };
}

/**
 * Returns the function that reads MARC records for a stage that needs all records of a run. An object with several
 * records is read completely, and only once while it is cached.
 */
export function recordPages(): (recordKey: string) => Promise<MarcRecord> {
  const kept = new Map<string, { bytes: Promise<Uint8Array>; size: number }>();
  let keptBytes = 0;

  function load(key: string): Promise<Uint8Array> {
    const known = kept.get(key);
    if (known !== undefined) return known.bytes;
    const bytes = getObject(variable("recordsBucket"), key);
    const entry = { bytes, size: 0 };
    kept.set(key, entry);
    bytes.then(
      ({ byteLength }) => {
        entry.size = byteLength;
        keptBytes += byteLength;
        dropOldest();
      },
      () => kept.delete(key),
    );
    return bytes;
  }

  function dropOldest(): void {
    for (const [key, { size }] of kept) {
      if (keptBytes <= maxKeptBytes) return;
      kept.delete(key);
      keptBytes -= size;
    }
  }

  return async (recordKey) => {
    const { key, start, length } = placeOf(recordKey);
    const bytes =
      start === undefined || length === undefined
        ? await getObject(variable("recordsBucket"), key)
        : (await load(key)).subarray(start, start + length);
    return JSON.parse(new TextDecoder().decode(bytes));
  };
}
