import { isSitemapLocation } from "../../formats/sitemap.ts";
import { gunzipIfPacked } from "../../web/encoding/gunzip.ts";
import { decodeMarked } from "../../xml/character-encoding.ts";
import { visitElements } from "../../xml/visit-elements.ts";
import { type FoundLink, LinkGatherer, type LinkReading } from "./found-link.ts";

/**
 * The maximum size of an unpacked sitemap.
 * @see https://www.sitemaps.org/protocol.html#index
 */
const maxUnpackedBytes = 50 * 1024 * 1024;

/**
 * Reads the pages that a sitemap lists, or the sitemaps that a sitemap index lists. Both may be gzipped.
 * @see https://www.sitemaps.org/protocol.html
 */
export function readSitemapLinks(bytes: Uint8Array): LinkReading {
  const unpacked = gunzipIfPacked(bytes, maxUnpackedBytes);
  if (unpacked.type !== "bytes")
    return { type: "unreadable", detail: `cannot be unpacked: ${unpacked.type}` };
  const links = new LinkGatherer();
  const sitemaps: FoundLink[] = [];
  let root = "";
  const problem = visitElements(decodeMarked(unpacked.bytes), {
    open: ({ name, path }) => {
      root ||= name;
      return isSitemapLocation(name, path);
    },
    text: (text, place, path) => {
      const known = links.links.length;
      links.add(text, place, undefined);
      const [link] = links.links.slice(known);
      if (link !== undefined && path.at(-1) === "sitemap") sitemaps.push({ ...link, isSitemap: true });
    },
  });
  if (problem !== undefined) return { type: "unreadable", detail: `is not a sitemap: ${problem}` };
  if (root === "sitemapindex") return { type: "links", links: sitemaps, unresolved: 0 };
  if (root === "urlset") return links.finish();
  return { type: "unreadable", detail: `is not a sitemap: it begins with <${root}>` };
}
