import { resolveUrl } from "../../formats/page/resolve-url.ts";

/** How a URL was found, in the letters of Heritrix: a link, a part of a page, a redirect, a list such as a sitemap. */
export type Hop = "L" | "E" | "R" | "M";

/** A URL that a resource refers to: absolute, without its fragment. */
export interface DiscoveredLink {
  url: string;
  hop: Hop;
}

/** As many as a sitemap may have. @see https://www.sitemaps.org/protocol.html#index */
const maxLinks = 50_000;

/** Collects the links of a resource, each URL once. A part of a page stays one when the page links to it, too. */
export class LinkCollector {
  private readonly hops = new Map<string, Hop>();
  base: string;

  /** @param base the URL that references are relative to */
  constructor(base: string) {
    this.base = base;
  }

  add(reference: string | undefined, hop: Hop): void {
    const url = resolveUrl(reference, this.base);
    if (url === undefined) return;
    const known = this.hops.get(url);
    if (known === undefined ? this.hops.size < maxLinks : known === "L") this.hops.set(url, hop);
  }

  /** In the order in which they were found. */
  links(): DiscoveredLink[] {
    return [...this.hops].map(([url, hop]) => ({ url, hop }));
  }
}
