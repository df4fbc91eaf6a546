import { resolveUrl } from "../../formats/page/resolve-url.ts";

/**
 * How a URL was found, in the letters of Heritrix: `L` link, `E` embedded resource of a page, `R` redirect,
 * `M` list such as a sitemap.
 */
export type Hop = "L" | "E" | "R" | "M";

/** A link of a resource. Its URL is absolute and has no fragment. */
export interface DiscoveredLink {
  url: string;
  hop: Hop;
}

/** The links of a resource that were not read because of a limit. */
export interface UnreadLinks {
  /** The number of links beyond the maximum per resource. */
  dropped: number;
  /**
   * Whether the resource is longer than the part from which links are read. The number of links in the rest
   * is unknown.
   */
  isCut: boolean;
}

/**
 * The maximum number of links per resource: as many as a sitemap may have. @see https://www.sitemaps.org/protocol.html#index
 */
const maxLinks = 50_000;

/** The links of a resource, and the number of links beyond the maximum, which were dropped. */
export interface DiscoveredLinks {
  links: DiscoveredLink[];
  dropped: number;
}

/**
 * Collects the links of a resource, each URL once. An embedded resource remains one even if the page also
 * links to it.
 */
export class LinkCollector {
  private readonly hops = new Map<string, Hop>();
  private dropped = 0;
  base: string;

  /** @param base the URL against which references are resolved */
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

  /** Returns the links in the order in which they were found. */
  found(): DiscoveredLinks {
    return { links: [...this.hops].map(([url, hop]) => ({ url, hop })), dropped: this.dropped };
  }
}
