import { type AddressPolicy, admitUrl } from "../../web/address/admit-url.ts";
import { hostKey } from "../../web/address/host-key.ts";
import type { Refusal } from "../../web/address/refusal.ts";
import type { Jar } from "../../web/chain/cookie-jar.ts";
import type { ExchangeOutcome, Hop } from "../../web/exchange/exchange.ts";

/** A URL that is being followed through redirects and retries. */
export interface LinkTask {
  /** All spellings of this URL in the input. */
  inputUrls: string[];
  url: string;
  hostKey: string;
  hops: readonly Hop[];
  cookies: Jar;
  /** The number of requests of this hop so far. */
  attempts: number;
  /** The outcome of the last request, when a further request will follow. */
  last?: ExchangeOutcome | undefined;
  elapsedMs: number;
}

/**
 * Separates the URLs that may be requested from the refused URLs. Different spellings of the same URL become one link.
 */
export function admitLinks(
  urls: Iterable<string>,
  addresses: AddressPolicy,
): { admitted: Iterable<LinkTask>; refused: { given: string; refusal: Refusal }[] } {
  const links = new Map<string, LinkTask>();
  const refused: { given: string; refusal: Refusal }[] = [];
  for (const given of new Set(urls)) {
    const admission = admitUrl(given, addresses);
    if (admission.type === "refused") {
      refused.push({ given, refusal: admission });
      continue;
    }
    const { href } = admission.url;
    const known = links.get(href);
    if (known === undefined) links.set(href, newTask(given, admission.url));
    else known.inputUrls.push(given);
  }
  return { admitted: links.values(), refused };
}

function newTask(given: string, url: URL): LinkTask {
  return {
    inputUrls: [given],
    url: url.href,
    hostKey: hostKey(url),
    hops: [],
    cookies: [],
    attempts: 0,
    elapsedMs: 0,
  };
}
