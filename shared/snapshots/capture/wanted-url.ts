/** A URL that a capture wants. */
export interface WantedUrl {
  url: string;
  /** From the seed; empty for a seed. */
  hops: string;
  /** The resource that refers to it; absent of a seed. */
  via?: string;
}

/**
 * What an exchange before the last one is of: the wanted URL, or the robots.txt that was read before it.
 * @param url that answered
 */
export function interimUrl(wanted: WantedUrl, url: string): WantedUrl {
  if (url === wanted.url) return wanted;
  return { url, hops: `${wanted.hops}P`, via: wanted.url };
}
