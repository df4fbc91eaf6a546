import type { LoggedCaptures } from "./capture-lists.ts";
import { capturedPages } from "./captured-page.ts";
import { type CdxjLine, waczIndex } from "./wacz-index.ts";
import { type HopsByUrl, waczPages } from "./wacz-pages.ts";
import type { PackedWarc, WaczContents } from "./wacz-zip.ts";

/** A complete capture: its WARC files, the lines of its CDXJ, and the information in its crawl log. */
export interface StoredCapture extends LoggedCaptures {
  warcs: readonly PackedWarc[];
  captures: readonly CdxjLine[];
}

/** Captures whose content revisits refer to, and the WARC files that contain them. */
export interface PackedOriginals {
  warcs: readonly PackedWarc[];
  captures: readonly CdxjLine[];
}

/**
 * Returns the contents of a package of captures. Its pages are those of the captures; originals are only in
 * its index.
 */
export async function packageContents(
  stored: readonly StoredCapture[],
  originals: PackedOriginals,
  created: Date,
): Promise<WaczContents> {
  const own = stored.flatMap(({ captures }) => captures);
  const warcs = stored.flatMap((each) => each.warcs);
  return {
    warcs: [...warcs, ...originals.warcs],
    texts: [
      ...waczIndex([...own, ...originals.captures]),
      ...(await waczPages(own, foundIn(stored), capturedPages(warcs))),
    ],
    created,
    software: "Ingather",
  };
}

function foundIn(stored: readonly StoredCapture[]): HopsByUrl {
  const [first] = stored;
  // Avoids copying a map of millions of URLs.
  if (first !== undefined && stored.length === 1) return first.found;
  const all = new Map<string, { hops: string; mime: string }>();
  for (const { found } of stored) for (const [url, hops] of found) all.set(url, hops);
  return all;
}
