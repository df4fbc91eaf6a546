import { crc32 } from "node:zlib";

/**
 * The number of parts of a day. A partition of a table accepts 1,000 writes per second, but a day may need more of
 * them.
 */
const partsOfDay = 64;

/**
 * Returns the partition key of the part of a day in which the data of a key (such as a host or collection) is stored.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export function partOfDay(day: string, key: string): string {
  return `${day}#${crc32(key) % partsOfDay}`;
}

/** Returns all partition keys of a day. The day without a part is the key of items that earlier versions wrote. */
export function allPartsOfDay(day: string): string[] {
  return [day, ...Array.from({ length: partsOfDay }, (_, part) => `${day}#${part}`)];
}
