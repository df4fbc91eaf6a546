import type { RunContext } from "../../runs/completion.ts";
import type { ListingResult } from "../../runs/listing-result.ts";
import { acceptsOutcomes } from "../../runs/run.ts";
import type { Source } from "../../sources/source.ts";
import type { SourceStore } from "../../sources/source-store.ts";
import { finishListing } from "./finish-listing.ts";
import { failedListingResult } from "./listing-results.ts";
import type { ListingContext, ListingPorts } from "./select-articles.ts";

export interface ProcessListingPorts extends ListingPorts {
  sources: SourceStore;
}

/** What is known of a listing before it is read: how its hosts are asked is the reading's to say. */
export type BaseListingContext = Omit<ListingContext, "requestPolicy">;

/**
 * The frame of all readers of lists: reads the list of a run that still takes documents and of a source that is still
 * configured, and concludes it. May be repeated.
 * @param listRequest where the list itself is counted; `id` is its own
 * @param read the list, by its source
 */
export async function processListing(
  listRequest: RunContext & { id: string },
  read: (source: Source, context: BaseListingContext) => Promise<ListingResult>,
  ports: ProcessListingPorts,
): Promise<void> {
  const { runId, sourceId, id } = listRequest;
  const run = await ports.runs.get(runId);
  if (!acceptsOutcomes(run)) return;
  const source = await ports.sources.source(sourceId);
  const context = { run, sourceId, title: source?.title ?? sourceId, listingId: id };
  const list = async () =>
    source === undefined
      ? failedListingResult(context, `source ${sourceId} is no longer configured`)
      : read(source, context);
  await finishListing(list, { ...listRequest, run }, ports);
}
