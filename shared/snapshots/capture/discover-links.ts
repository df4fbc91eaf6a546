import { parseJson } from "../../core/parse-json.ts";
import { decodePage } from "../../formats/page/decode-page.ts";
import { findSitemaps, parseSitemap } from "../../formats/sitemap.ts";
import { locationsOf } from "../../web/chain/redirects.ts";
import { mimeType } from "../warc/mime-type.ts";
import { cssUrls } from "./css-urls.ts";
import { type DiscoveredLinks, LinkCollector } from "./discovered-link.ts";
import { htmlResources } from "./html-resources.ts";

/** The parts of a fetched resource that may contain links. */
interface FetchedResource {
  url: string;
  /** The headers, with names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body without its content coding; empty if it is not needed. */
  body: Uint8Array;
}

const noLinks: DiscoveredLinks = { links: [], dropped: 0 };

/** The formats from which links are read, by MIME type. */
const formats: readonly (readonly [types: RegExp, format: (resource: FetchedResource) => DiscoveredLinks])[] =
  [
    [/^(text\/html|application\/xhtml\+xml|image\/svg\+xml)$/, inMarkup],
    [/^text\/css$/, inStylesheet],
    [/^application\/(manifest\+json|json)$/, inManifest],
    [/^(text|application)\/xml$|^application\/(x-)?gzip$/, inXml],
    [/^text\/plain$/, inRobots],
  ];

/** Returns whether the body of a response may contain links, and so must be held in memory. */
export function mayHaveLinks(contentType: string | undefined): boolean {
  const type = mimeType(contentType);
  return type === "-" || formats.some(([types]) => types.test(type));
}

/** Returns the links of a resource: in its headers and, depending on its MIME type, in its body. */
export function discoverLinks(resource: FetchedResource): DiscoveredLinks {
  const found = new LinkCollector(resource.url);
  // The values of repeated headers are joined by line breaks. Browsers use the first value.
  const { link, "content-type": contentType } = resource.headers;
  found.add(locationsOf(resource.headers)[0], "R");
  for (const [, url, parameters] of (link ?? "").matchAll(/<([^>]*)>([^<]*)/g)) {
    found.add(url, /rel="?[^";]*\b(stylesheet|preload|icon|manifest)\b/i.test(parameters ?? "") ? "E" : "L");
  }
  const type = mimeType(contentType);
  const read = type === "-" ? inMarkup : formats.find(([types]) => types.test(type))?.[1];
  const inBody = resource.body.byteLength > 0 ? read?.(resource) : undefined;
  if (inBody !== undefined) found.addAll(inBody);
  return found.found();
}

function inMarkup({ url, body, headers }: FetchedResource): DiscoveredLinks {
  const contentType = headers["content-type"] ?? "";
  const page = decodePage(body, mimeType(contentType) === "image/svg+xml" ? "application/xml" : contentType);
  return page.type === "text" ? htmlResources(page.text, url) : noLinks;
}

function inStylesheet({ url, body }: FetchedResource): DiscoveredLinks {
  const found = new LinkCollector(url);
  for (const reference of cssUrls(new TextDecoder().decode(body))) found.add(reference, "E");
  return found.found();
}

/** Returns the icons and screenshots of a web app. @see https://www.w3.org/TR/appmanifest/ */
function inManifest({ url, body }: FetchedResource): DiscoveredLinks {
  const found = new LinkCollector(url);
  const manifest = parseJson(body) as Record<string, unknown> | null | undefined;
  if (typeof manifest !== "object" || manifest === null) return noLinks;
  for (const images of [manifest.icons, manifest.screenshots]) {
    for (const image of Array.isArray(images) ? images : []) {
      const { src } = (image ?? {}) as { src?: unknown };
      if (typeof src === "string") found.add(src, "E");
    }
  }
  return found.found();
}

/** Returns the links of a page in XHTML, or of a sitemap, which may be compressed with gzip. */
function inXml(resource: FetchedResource): DiscoveredLinks {
  const sitemap = parseSitemap(resource.body, resource.url);
  if (sitemap.type === "not-a-sitemap") return inMarkup(resource);
  const found = new LinkCollector(resource.url);
  for (const { href } of sitemap.urls) found.add(href, sitemap.type === "sitemaps" ? "M" : "L");
  return found.found();
}

/** Returns the sitemaps in a robots.txt. */
function inRobots({ url, body }: FetchedResource): DiscoveredLinks {
  if (URL.parse(url)?.pathname !== "/robots.txt") return noLinks;
  const found = new LinkCollector(url);
  for (const sitemap of findSitemaps(new TextDecoder().decode(body))) found.add(sitemap, "M");
  return found.found();
}
