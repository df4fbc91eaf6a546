import { inBatches } from "../../core/in-batches.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { Listing } from "../../harvest/listing.ts";
import type { NewRequest } from "../../web/gate/request.ts";

/** Requests in one part: as one may take 24 KB, a part takes 12 MB at most. */
const requestsInPart = 500;

/** Parts written or read at the same time. */
const partsAtOnce = 4;

/** A listing whose requests stand in objects of their own, in order, so that no object grows with a list. */
interface ListingIndex {
  outcome: Listing["outcome"];
  articles: string[];
  pages: string[];
}

/** Keeps a listing part by part, and gives the key of the object that names the parts. */
export async function keepListing(
  { outcome, articles, pages }: Listing,
  keep: (json: object) => Promise<string>,
): Promise<string> {
  const keepAll = (requests: NewRequest[]) =>
    inParallel(inBatches(requests, requestsInPart), partsAtOnce, keep);
  const index: ListingIndex = { outcome, articles: await keepAll(articles), pages: await keepAll(pages) };
  return keep(index);
}

export async function readListing(key: string, read: <T>(key: string) => Promise<T>): Promise<Listing> {
  const { outcome, ...keys } = await read<ListingIndex>(key);
  const readAll = async (parts: string[]) =>
    (await inParallel(parts, partsAtOnce, (part) => read<NewRequest[]>(part))).flat();
  return { outcome, articles: await readAll(keys.articles), pages: await readAll(keys.pages) };
}
