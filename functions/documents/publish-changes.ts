import { events } from "../../shared/adapters/aws/events.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { documentStore } from "../../shared/adapters/records/document-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { publishPending } from "../../shared/harvest/items/publish-pending.ts";
import { settleMissing } from "../../shared/harvest/items/settle-missing.ts";
import { itemStore } from "../../shared/harvest/stores/item-store.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { missingFiles } from "../../shared/harvest/stores/undecided-sources.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Publishes changes of documents and items that are still pending, and decides on missing files. */
export const handler = scheduledHandler({
  services: () => ({
    documents: documentStore(),
    items: itemStore(),
    sources: sourceStore(),
    oaiHarvests: oaiHarvestStore(),
    missingFiles: missingFiles(),
    requests: requestsQueue(),
    events: events(),
    clock: systemClock,
  }),
  handle: async (services, at) => {
    const pending = await publishPending(at, services);
    return { ...pending, sourcesWithMissingFiles: await settleMissing(services) };
  },
});
