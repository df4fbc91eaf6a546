import type { ByteView } from "./byte-view.ts";

/**
 * Returns the hash of a URL's bytes as an unsigned 32-bit number (MurmurHash3, x86, seed 0). The hash must
 * never change, because it determines the shard of the URL.
 * @see https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 */
export function hashUrl({ bytes, words }: ByteView, start: number, end: number): number {
  let hash = 0;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash ^= scrambled(words.getInt32(at, true));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let rest = 0;
  for (let last = end - 1; last >= at; last -= 1) rest = (rest << 8) | (bytes[last] as number);
  return mixed(hash ^ scrambled(rest) ^ (end - start));
}

/** Returns the shard that contains a URL's entries. */
export function shardOf(hash: number, shards: number): number {
  return hash % shards;
}

function scrambled(word: number): number {
  const product = Math.imul(word, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
