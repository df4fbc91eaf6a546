import type { SourceStore } from "../ports.ts";
import type { Source } from "../sources/source.ts";
import type { Counted } from "./completion.ts";
import {
  concludeListing,
  failedListing,
  type Listing,
  type ListingContext,
  type ListingPorts,
} from "./listing.ts";
import { acceptsDocuments } from "./run.ts";

export interface ReadListingPorts extends ListingPorts {
  sources: SourceStore;
}

/** What is known of a listing before it is read: how its hosts are asked is the reading's to say. */
export type ListingFrame = Omit<ListingContext, "manners">;

/**
 * The frame of all readers of lists: reads the list of a run that still takes documents and of a source that is still
 * configured, and concludes it. May be repeated.
 * @param counted where the list itself is counted; `id` is its own
 * @param read the list, by its source
 */
export async function readListing(
  counted: Counted & { id: string },
  read: (source: Source, frame: ListingFrame) => Promise<Listing>,
  ports: ReadListingPorts,
): Promise<void> {
  const { runId, sourceId, id } = counted;
  const run = await ports.runs.get(runId);
  if (!acceptsDocuments(run)) return;
  const source = await ports.sources.source(sourceId);
  const frame = { run, sourceId, title: source?.title ?? sourceId, listingId: id };
  const list = async () =>
    source === undefined
      ? failedListing(frame, `source ${sourceId} is no longer configured`)
      : read(source, frame);
  await concludeListing(list, { ...counted, run }, ports);
}
