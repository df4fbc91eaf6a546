import { hostKeyOf } from "../../../shared/web/address/host-key.ts";

/** A scheme and an authority that are one host's by themselves, whatever follows. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?(?=[/?#]|$)/;

/** One URL of each origin, and some of them more than once: long lists have many URLs of few hosts. */
export function* distinctOrigins(urls: Iterable<string>): Iterable<string> {
  const seen = new Set<string>();
  for (const url of urls) {
    const origin = plainOrigin.exec(url)?.[0] ?? url;
    if (!seen.has(origin)) yield origin;
    seen.add(origin);
  }
}

/** The host keys of many URLs, as `hostKeyOf` says them. Each plain origin is parsed once. */
export class HostKeys {
  private readonly known = new Map<string, string>();

  of(url: string): string {
    const origin = plainOrigin.exec(url)?.[0];
    if (origin === undefined) return hostKeyOf(url);
    let key = this.known.get(origin);
    if (key === undefined) {
      key = hostKeyOf(origin);
      this.known.set(origin, key);
    }
    return key;
  }
}
