import { siteOf } from "../../web/address/site.ts";
import { maxUrlLength } from "../../web/request/request.ts";
import type { DiscoveredLink } from "./discovered-link.ts";

/** The bounds of a capture. */
interface CaptureScope {
  /** The URLs whose sites the capture does not leave by links. */
  seeds: readonly string[];
  /** The maximum number of links from a seed; 0 captures only the seeds and their resources. */
  maxDepth: number;
}

/** The maximum length of a path of hops. Longer paths are crawler traps. */
const maxHops = 20;

/** The maximum number of embedded resources in a row: a frame may embed a stylesheet, which embeds fonts. */
const maxEmbedsInRow = 5;

const maxSegments = 20;
const maxRepetitions = 2;

/**
 * Decides whether a link found in a resource is captured. Links within the seeds' sites are captured up to
 * the maximum depth. Embedded resources of captured pages and targets of redirects are captured on any site.
 */
export class Scope {
  private readonly sites: ReadonlySet<string>;
  private readonly maxDepth: number;

  constructor({ seeds, maxDepth }: CaptureScope) {
    this.sites = new Set(seeds.flatMap((seed) => URL.parse(seed) ?? []).map(siteOf));
    this.maxDepth = maxDepth;
  }

  /**
   * @param hops from the seed to the resource that contains the link
   * @returns the hops from the seed to the link; undefined if it is not captured
   */
  pathTo({ url, hop }: DiscoveredLink, hops: string): string | undefined {
    const path = hops + hop;
    const parsed = URL.parse(url);
    const isTooLong = path.length > maxHops || url.length > maxUrlLength;
    if (parsed === null || isTooLong || isTrap(parsed)) return undefined;
    if (hop === "L" || hop === "M") {
      if (!this.sites.has(siteOf(parsed))) return undefined;
      // A sitemap is not a page, so its entries have the same depth as the links of a seed.
      if (countLinks(path) + (hop === "M" ? 1 : 0) > this.maxDepth) return undefined;
    }
    const embeds = /E*$/.exec(path.replaceAll("R", ""))?.[0].length ?? 0;
    return embeds > maxEmbedsInRow ? undefined : path;
  }
}

function countLinks(hops: string): number {
  return hops.replaceAll(/[^L]/g, "").length;
}

/** Returns whether a path is a trap, which a broken relative link makes longer and longer. */
function isTrap({ pathname }: URL): boolean {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  if (segments.length > maxSegments) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  return Math.max(0, ...counts.values()) > maxRepetitions;
}
