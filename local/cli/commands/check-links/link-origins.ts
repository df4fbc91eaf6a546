import { hostKeyOf } from "../../../../shared/web/address/host-key.ts";

/** A scheme and an authority that are one host's on their own, whatever follows. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

/** What of a URL may be such an origin: all before its path, which is sooner found than matched. */
function beforePath(url: string): string {
  const end = url.indexOf("/", "https://".length);
  return end === -1 ? url : url.slice(0, end);
}

/** One URL of each origin, and some of them more than once: long lists have many URLs of few hosts. */
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

/** The host keys of many URLs, as `hostKeyOf` says them. Each plain origin is parsed once. */
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
