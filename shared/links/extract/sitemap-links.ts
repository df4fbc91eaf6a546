import { gunzipIfPacked } from "../../web/encoding/gunzip.ts";
import { type FoundLink, LinkGatherer, type LinkReading } from "./found-link.ts";
import { scanXml } from "./scan-xml.ts";

/** @see https://www.sitemaps.org/protocol.html#index sitemaps may have 50 MB, unpacked */
const maxUnpackedBytes = 50 * 1024 * 1024;

/** Elements whose `loc` is the URL of a page or of a sitemap. */
const locationParents: ReadonlySet<string> = new Set(["url", "sitemap"]);

/**
 * Reads the pages of a sitemap, or the sitemaps of an index, gzipped or not.
 * @see https://www.sitemaps.org/protocol.html
 */
export function readSitemapLinks(bytes: Uint8Array): LinkReading {
  const unpacked = gunzipIfPacked(bytes, maxUnpackedBytes);
  if (unpacked.type !== "bytes")
    return { type: "unreadable", detail: `cannot be unpacked: ${unpacked.type}` };
  const links = new LinkGatherer();
  const sitemaps: FoundLink[] = [];
  let root = "";
  const problem = scanXml(unpacked.bytes, {
    open: ({ name, path }) => {
      root ||= name;
      // Extensions have a `loc` of their own, for images and videos.
      return name === "loc" && path.length === 2 && locationParents.has(path.at(-1) ?? "");
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
