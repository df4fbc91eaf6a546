import { siteOf } from "../../web/address/site.ts";
import { maxUrlLength } from "../../web/request/request.ts";
import type { DiscoveredLink } from "./discovered-link.ts";

/** What belongs to a capture. */
interface CaptureScope {
  /** Links lead no further than to the sites of the seeds. */
  seeds: readonly string[];
  /** Links from a seed: 0 captures the seeds and their resources. */
  maxDepth: number;
}

/** Longer paths of hops are traps. */
const maxHops = 20;

/** A part of a page may have parts: a frame a stylesheet, and that one its fonts. */
const maxEmbedsInRow = 5;

const maxSegments = 20;
const maxRepetitions = 2;

/**
 * Whether a link found in a resource is captured: links of the seeds' sites up to the depth; parts of captured pages and
 * targets of redirects wherever they are.
 */
export class Scope {
  private readonly sites: ReadonlySet<string>;
  private readonly maxDepth: number;

  constructor({ seeds, maxDepth }: CaptureScope) {
    this.sites = new Set(seeds.flatMap((seed) => URL.parse(seed) ?? []).map(siteOf));
    this.maxDepth = maxDepth;
  }

  /**
   * @param hops from the seed to the resource that has the link
   * @returns the hops from the seed to the link; undefined of one that is not captured
   */
  pathTo({ url, hop }: DiscoveredLink, hops: string): string | undefined {
    const path = hops + hop;
    const parsed = URL.parse(url);
    const isTooLong = path.length > maxHops || url.length > maxUrlLength;
    if (parsed === null || isTooLong || isTrap(parsed)) return undefined;
    if (hop === "L" || hop === "M") {
      if (!this.sites.has(siteOf(parsed))) return undefined;
      // A sitemap is not a page: what it lists is as deep as the links of a seed.
      if (countLinks(path) + (hop === "M" ? 1 : 0) > this.maxDepth) return undefined;
    }
    const embeds = /E*$/.exec(path.replaceAll("R", ""))?.[0].length ?? 0;
    return embeds > maxEmbedsInRow ? undefined : path;
  }
}

function countLinks(hops: string): number {
  return hops.replaceAll(/[^L]/g, "").length;
}

/** Paths that a broken relative link makes longer and longer. */
function isTrap({ pathname }: URL): boolean {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  if (segments.length > maxSegments) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return Math.max(0, ...counts.values()) > maxRepetitions;
}
