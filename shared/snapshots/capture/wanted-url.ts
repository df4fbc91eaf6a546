/** A URL that a capture must request. */
export interface WantedUrl {
  url: string;
  /** The hops from the seed; empty for a seed. */
  hops: string;
  /** The resource that links to the URL; absent for a seed. */
  via?: string;
}

/**
 * Returns the subject of an exchange before the last one: the wanted URL, or the robots.txt that was read
 * before it.
 * @param url the URL that responded
 */
export function interimUrl(wanted: WantedUrl, url: string): WantedUrl {
  if (url === wanted.url) return wanted;
  return { url, hops: `${wanted.hops}P`, via: wanted.url };
}
