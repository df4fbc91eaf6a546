import { SaxesParser } from "saxes";
import { parseWebUrl } from "../identifiers/web-url.ts";
import { markedEncoding, startOf } from "../web/encoding/character-encoding.ts";
import { gunzipIfPacked } from "../web/encoding/gunzip.ts";

/** Limits of the protocol. @see https://www.sitemaps.org/protocol.html#index */
const maxUrls = 50_000;
const maxUnpackedBytes = 50 * 1024 * 1024;

/** Elements whose `loc` is the URL of a page or of a sitemap. */
const locationParents: ReadonlySet<string> = new Set(["url", "sitemap"]);

/** The URLs of pages, or of further sitemaps when it is an index. */
type SitemapReading = { type: "pages" | "sitemaps"; urls: URL[] } | { type: "not-a-sitemap"; detail: string };

/**
 * Parses a sitemap or a sitemap index, gzipped or not.
 * @see https://www.sitemaps.org/protocol.html
 */
export function parseSitemap(bytes: Uint8Array, url: string): SitemapReading {
  const unpacked = gunzipIfPacked(bytes, maxUnpackedBytes);
  if (unpacked.type !== "bytes") return { type: "not-a-sitemap", detail: "it cannot be unpacked" };
  const encoding = markedEncoding(startOf(unpacked.bytes)) ?? "utf-8";
  const text = new TextDecoder(encoding).decode(unpacked.bytes);
  const urls: URL[] = [];
  const path: string[] = [];
  let root = "";
  let location: string | undefined;
  const parser = new SaxesParser();
  parser.on("opentag", ({ name }) => {
    root ||= localName(name);
    // Extensions have a `loc` of their own, for images and videos.
    const isLocation =
      localName(name) === "loc" && path.length === 2 && locationParents.has(path.at(-1) ?? "");
    location = isLocation ? "" : undefined;
    path.push(localName(name));
  });
  const addText = (part: string) => {
    if (location !== undefined) location += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    path.pop();
    const pageUrl = location === undefined ? undefined : parseWebUrl(location, url);
    if (pageUrl !== undefined && urls.length < maxUrls) urls.push(pageUrl);
    location = undefined;
  });
  try {
    // Some templates write blank lines before the XML declaration, which XML forbids.
    parser.write(text.trimStart()).close();
  } catch (error) {
    return { type: "not-a-sitemap", detail: error instanceof Error ? error.message : String(error) };
  }
  if (root === "urlset") return { type: "pages", urls };
  if (root === "sitemapindex") return { type: "sitemaps", urls };
  return { type: "not-a-sitemap", detail: `begins with ${root || "no element"}` };
}

/** The URLs of the sitemaps in a robots.txt. @see https://www.sitemaps.org/protocol.html#submit_robots */
export function findSitemaps(robots: string): string[] {
  return [...robots.matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim)].flatMap(
    ([, address]) => parseWebUrl(address)?.href ?? [],
  );
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
