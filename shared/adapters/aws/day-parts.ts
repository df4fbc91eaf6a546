import { crc32 } from "node:zlib";

/** Parts of a day: a partition of a table takes 1,000 writes per second, and a day may get more of them. */
const partsOfDay = 64;

/**
 * The part of a day that has what belongs to a key (a host, a collection), as the key of a partition.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export function partOfDay(day: string, key: string): string {
  return `${day}#${crc32(key) % partsOfDay}`;
}

/** All partitions of a day; the day alone is that of the items of earlier versions. */
export function allPartsOfDay(day: string): string[] {
  return [day, ...Array.from({ length: partsOfDay }, (_, part) => `${day}#${part}`)];
}
