import { digest } from "../../core/digest.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { isoTimeOf } from "../warc/timestamp.ts";
import type { ReadCapturedPage } from "./captured-page.ts";
import { type CdxjLine, type PackedText, toBytes } from "./wacz-index.ts";

/** How captured URLs were found: one letter per hop from the seed. */
export type HopsByUrl = ReadonlyMap<string, { hops: string; mime: string }>;

/**
 * The number of pages whose title and text are read, because the lists are in memory, and a page takes a request to S3.
 * Further pages have their URL as title.
 */
const maxRead = 5000;
const maxParallelReads = 16;

/**
 * Returns the lists of pages that a viewer of the package shows and searches: the seeds, and the web pages to which links
 * lead.
 * @param found the hops in the crawl log
 * @see https://specs.webrecorder.net/wacz/1.1.1/#pages-jsonl
 */
export async function waczPages(
  captures: readonly CdxjLine[],
  found: HopsByUrl,
  read: ReadCapturedPage,
): Promise<PackedText[]> {
  const answered = captures.filter(({ fields }) => found.has(fields.url));
  const good = answered.filter((each) => isPage(each, found));
  // Without any page, a viewer would show nothing.
  const all = good.length > 0 ? good : answered;
  const { seeds = [], others = [] } = Object.groupBy(all, ({ fields }) =>
    /^R*$/.test(found.get(fields.url)?.hops ?? "") ? "seeds" : "others",
  );
  // A viewer opens with the pages of the first list.
  const [pages, extraPages] = seeds.length > 0 ? [seeds, others] : [others, []];
  let left = maxRead;
  const listOf = async (id: string, title: string, captures: readonly CdxjLine[]): Promise<PackedText> => {
    const readable = captures.slice(0, left);
    left -= readable.length;
    const known = await inParallel([...readable], maxParallelReads, read);
    const lines = captures.map(({ timestamp, fields: { url } }, index) => ({
      id: digest(url, timestamp),
      url,
      ts: isoTimeOf(timestamp) ?? timestamp,
      title: url,
      ...known[index],
    }));
    const header = { format: "json-pages-1.0", id, title, hasText: true };
    return {
      path: `pages/${id}.jsonl`,
      content: toBytes([header, ...lines].map((line) => JSON.stringify(line))),
    };
  };
  const first = await listOf("pages", "All Pages", pages);
  return extraPages.length === 0 ? [first] : [first, await listOf("extraPages", "Extra Pages", extraPages)];
}

function isPage({ fields }: CdxjLine, found: HopsByUrl): boolean {
  const { hops = "", mime = "" } = found.get(fields.url) ?? {};
  const isHtml = mime === "text/html" || mime === "application/xhtml+xml";
  return fields.status === "200" && (hops === "" || (isHtml && /^[LRPM]*[LR]$/.test(hops)));
}
