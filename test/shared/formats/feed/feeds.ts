import type { Feed, NotAFeed } from "../../../../shared/formats/feed/feed-result.ts";
import { parseFeed } from "../../../../shared/formats/feed/parse-feed.ts";

/** Where all feeds of the tests are read from. */
const url = "https://journal.example.org/feeds/current.xml";

export function rss(items: string, channel = "", rootAttributes = ""): string {
  return `<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"
 xmlns:fb="http://rssnamespace.org/feedburner/ext/1.0" ${rootAttributes}>
<channel><title>Journal</title>${channel}${items}</channel></rss>`;
}

export function rdf(items: string, channel = ""): string {
  return `<?xml version="1.0"?>
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:pr="http://prismstandard.org/namespaces/2.0/basic/">
<channel rdf:about="https://journal.example.org/"><title>Journal</title>${channel}</channel>${items}</rdf:RDF>`;
}

export function atom(entries: string, head = "", rootAttributes = ""): string {
  return `<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" ${rootAttributes}>
<title>Journal</title>${head}${entries}</feed>`;
}

export function read(body: string | Uint8Array, contentType?: string): Feed | NotAFeed {
  return parseFeed(typeof body === "string" ? new TextEncoder().encode(body) : body, { url, contentType });
}

/** The reading of a body that must be a feed. */
export function readAsFeed(body: string | Uint8Array, contentType?: string): Feed {
  const reading = read(body, contentType);
  if (reading.type !== "feed") throw new Error(`${reading.reason}: ${reading.detail}`);
  return reading;
}

/** The first entry of a body that must be a feed with one. */
export function firstEntry(body: string) {
  const [entry] = readAsFeed(body).entries;
  if (entry === undefined) throw new Error("the feed has no entry");
  return entry;
}
