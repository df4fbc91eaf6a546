import { parseWebUrl } from "../identifiers/web-url.ts";
import { gunzipIfPacked } from "../web/encoding/gunzip.ts";
import { decodeMarked } from "../xml/character-encoding.ts";
import { visitElements } from "../xml/visit-elements.ts";

/** Limits of the protocol. @see https://www.sitemaps.org/protocol.html#index */
const maxUrls = 50_000;
const maxUnpackedBytes = 50 * 1024 * 1024;

/** Elements whose `loc` is the URL of a page or of a sitemap. */
const locationParents: ReadonlySet<string> = new Set(["url", "sitemap"]);

/** The URLs of pages or, for an index, of further sitemaps. */
type SitemapReading = { type: "pages" | "sitemaps"; urls: URL[] } | { type: "not-a-sitemap"; detail: string };

/**
 * Parses a sitemap or a sitemap index, which may be gzipped.
 * @see https://www.sitemaps.org/protocol.html
 */
export function parseSitemap(bytes: Uint8Array, url: string): SitemapReading {
  const unpacked = gunzipIfPacked(bytes, maxUnpackedBytes);
  if (unpacked.type !== "bytes") return { type: "not-a-sitemap", detail: "it cannot be unpacked" };
  const urls: URL[] = [];
  let root = "";
  const problem = visitElements(decodeMarked(unpacked.bytes), {
    open({ name, path }) {
      root ||= name;
      return isSitemapLocation(name, path);
    },
    text(location) {
      const pageUrl = parseWebUrl(location, url);
      if (pageUrl !== undefined && urls.length < maxUrls) urls.push(pageUrl);
    },
  });
  if (problem !== undefined) return { type: "not-a-sitemap", detail: problem };
  if (root === "urlset") return { type: "pages", urls };
  if (root === "sitemapindex") return { type: "sitemaps", urls };
  return { type: "not-a-sitemap", detail: `begins with ${root || "no element"}` };
}

/**
 * Decides whether the `loc` of an element is the URL of a page or a sitemap. Extensions use separate `loc` elements for
 * images and videos.
 * @param name without a prefix
 * @param path the names of the enclosing elements, the outermost first
 */
export function isSitemapLocation(name: string, path: readonly string[]): boolean {
  return name === "loc" && path.length === 2 && locationParents.has(path.at(-1) ?? "");
}

/** Returns the URLs of the sitemaps in a robots.txt. @see https://www.sitemaps.org/protocol.html#submit_robots */
export function findSitemaps(robots: string): string[] {
  return [...robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim)].flatMap(
    ([, address]) => parseWebUrl(address)?.href ?? [],
  );
}
