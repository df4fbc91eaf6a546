import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { DocumentOutcome } from "../../records/runs/run.ts";
import type { NewRequest } from "../../web/request/request.ts";

/** The number of requests or outcomes in one part. Each may take 24 KB, so a part takes at most 12 MB. */
const itemsInPart = 500;

/** The number of parts that are written or read at the same time. */
const maxParallelParts = 4;

/**
 * The object of a listing. It names the objects with the listing's requests and outcomes, in order, so that no object
 * grows with the length of a list.
 */
interface ListingIndex {
  outcome: ListingResult["outcome"];
  articles: string[];
  pages: string[];
  resolved: string[];
  nextPage?: NewRequest;
}

/**
 * Stores a listing in parts.
 * @returns the key of the object that names the parts
 */
export async function storeListing(
  { outcome, articleRequests, listingRequests, resolved = [], nextPage }: ListingResult,
  keep: (json: object) => Promise<string>,
): Promise<string> {
  const storeAll = (items: object[]) => inParallel(inBatches(items, itemsInPart), maxParallelParts, keep);
  const index: ListingIndex = {
    outcome,
    articles: await storeAll(articleRequests),
    pages: await storeAll(listingRequests),
    resolved: await storeAll(resolved),
    ...(nextPage && { nextPage }),
  };
  return keep(index);
}

export async function loadListing(key: string, read: <T>(key: string) => Promise<T>): Promise<ListingResult> {
  const { outcome, nextPage, ...keys } = await read<ListingIndex>(key);
  const loadAll = async <Item>(parts: string[]) =>
    (await inParallel(parts, maxParallelParts, (part) => read<Item[]>(part))).flat();
  const resolved = await loadAll<DocumentOutcome>(keys.resolved);
  return {
    outcome,
    articleRequests: await loadAll(keys.articles),
    listingRequests: await loadAll(keys.pages),
    ...(resolved.length > 0 && { resolved }),
    ...(nextPage && { nextPage }),
  };
}
