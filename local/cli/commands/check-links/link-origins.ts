import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";

/** Matches a scheme and an authority that need no URL parser to find their host. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

/**
 * Returns the part of a URL before its path, which may be a plain origin. Finding this part is faster than
 * matching the pattern.
 */
function beforePath(url: string): string {
  const end = url.indexOf("/", "https://".length);
  return end === -1 ? url : url.slice(0, end);
}

/**
 * Yields at least one URL per origin. Long lists have many URLs of few hosts, so most duplicates are skipped;
 * some origins occur more than once.
 */
export function* distinctOrigins(urls: Iterable<string>): Iterable<string> {
  const seen = new Set<string>();
  for (const url of urls) {
    const origin = beforePath(url);
    if (seen.has(origin)) continue;
    if (plainOrigin.test(origin)) {
      seen.add(origin);
      yield origin;
    } else yield url;
  }
}

/** Returns the same host keys as `hostKeyOf`, for many URLs. Each plain origin is parsed only once. */
export class HostKeys {
  private readonly known = new Map<string, string>();

  of(url: string): string {
    const origin = beforePath(url);
    const known = this.known.get(origin);
    if (known !== undefined) return known;
    const key = hostKeyOf(url);
    if (plainOrigin.test(origin)) this.known.set(origin, key);
    return key;
  }
}
