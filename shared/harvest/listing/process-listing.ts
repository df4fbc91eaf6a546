import type { RunContext } from "../../records/runs/completion.ts";
import { findReceivingRun } from "../../records/runs/late-harvest.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Source } from "../../records/sources/source.ts";
import type { SourceStore } from "../../records/sources/source-store.ts";
import { finishListing } from "./finish-listing.ts";
import { failedListingResult } from "./listing-results.ts";
import type { ListingContext, ListingPorts } from "./select-articles.ts";

export interface ProcessListingPorts extends ListingPorts {
  sources: SourceStore;
}

/** The context of a listing before it is read; the reader adds the request policy. */
export type BaseListingContext = Omit<ListingContext, "requestPolicy">;

/**
 * Does the work that all readers of listings have in common: skips runs that no longer accept outcomes, reads the
 * listing, and finishes it. Repeatable.
 * @param listRequest the listing's own request, with its tally and id
 * @param read reads the listing of a configured source
 */
export async function processListing(
  listRequest: RunContext & { id: string },
  read: (source: Source, context: BaseListingContext) => Promise<ListingResult>,
  ports: ProcessListingPorts,
): Promise<void> {
  const { runId, sourceId, id } = listRequest;
  const receiving = await findReceivingRun(runId, ports.runs);
  if (receiving === undefined) return;
  const { run } = receiving;
  const source = await ports.sources.source(sourceId);
  const context = { run, sourceId, title: source?.title ?? sourceId, listingId: id };
  const list = async () =>
    source === undefined
      ? failedListingResult(context, `source ${sourceId} is no longer configured`)
      : read(source, context);
  await finishListing(list, { ...listRequest, ...receiving }, ports);
}
