import { digest } from "../../core/digest.ts";
import { isoTimeOf } from "../warc/timestamp.ts";
import { type CdxjLine, type PackedText, toBytes } from "./wacz-index.ts";

/** How captured URLs were found: one letter per hop from the seed. */
export type HopsByUrl = ReadonlyMap<string, { hops: string; mime: string }>;

/**
 * Returns the list of pages that a viewer of the package shows: the seeds, and the web pages to which links
 * lead.
 * @param found the hops in the crawl log
 * @see https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl
 */
export function waczPages(captures: readonly CdxjLine[], found: HopsByUrl): PackedText {
  const answered = captures.filter(({ fields }) => found.has(fields.url));
  const good = answered.filter((each) => isPage(each, found));
  // Without any page, a viewer would show nothing.
  const pages = good.length > 0 ? good : answered;
  const lines = [
    { format: "json-pages-1.0", id: "pages", title: "All Pages" },
    ...pages.map(({ timestamp, fields: { url } }) => ({
      id: digest(url, timestamp),
      url,
      ts: isoTimeOf(timestamp) ?? timestamp,
      title: url,
    })),
  ];
  return { path: "pages/pages.jsonl", content: toBytes(lines.map((line) => JSON.stringify(line))) };
}

function isPage({ fields }: CdxjLine, found: HopsByUrl): boolean {
  const { hops = "", mime = "" } = found.get(fields.url) ?? {};
  const isHtml = mime === "text/html" || mime === "application/xhtml+xml";
  return fields.status === "200" && (hops === "" || (isHtml && /^[LRPM]*[LR]$/.test(hops)));
}
