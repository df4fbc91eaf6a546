/**
 * The hash of a URL's bytes, 32 bits without sign (FNV-1a). It decides the shard of the URL, so that it never changes.
 * @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 */
export function hashUrl(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash >>> 0;
}

/** The shard that holds a URL's entries. */
export function shardOf(hash: number, shards: number): number {
  return hash % shards;
}
