import { resolveUrl } from "../../formats/page/resolve-url.ts";

/** How a URL was found, in the letters of Heritrix: a link, a part of a page, a redirect, a list such as a sitemap. */
export type Hop = "L" | "E" | "R" | "M";

/** A URL that a resource refers to: absolute, without its fragment. */
export interface DiscoveredLink {
  url: string;
  hop: Hop;
}

/** Links of a resource that no limit let through. */
export interface UnreadLinks {
  /** Those after the last one that is taken of a resource. */
  dropped: number;
  /** Whether the resource is longer than what links are read from: nobody knows how many the rest has. */
  isCut: boolean;
}

/** As many as a sitemap may have. @see https://www.sitemaps.org/protocol.html#index */
const maxLinks = 50_000;

/** The links of a resource, and how many were dropped after the last one that is taken. */
export interface DiscoveredLinks {
  links: DiscoveredLink[];
  dropped: number;
}

/** Collects the links of a resource, each URL once. A part of a page stays one when the page links to it, too. */
export class LinkCollector {
  private readonly hops = new Map<string, Hop>();
  private dropped = 0;
  base: string;

  /** @param base the URL that references are relative to */
  constructor(base: string) {
    this.base = base;
  }

  add(reference: string | undefined, hop: Hop): void {
    const url = resolveUrl(reference, this.base);
    if (url === undefined) return;
    const known = this.hops.get(url);
    if (known === undefined && this.hops.size >= maxLinks) this.dropped += 1;
    else if (known === undefined || known === "L") this.hops.set(url, hop);
  }

  /** Adds the links of a part of the resource. */
  addAll({ links, dropped }: DiscoveredLinks): void {
    for (const { url, hop } of links) this.add(url, hop);
    this.dropped += dropped;
  }

  /** In the order in which they were found. */
  found(): DiscoveredLinks {
    return { links: [...this.hops].map(([url, hop]) => ({ url, hop })), dropped: this.dropped };
  }
}
