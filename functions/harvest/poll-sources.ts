import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { oaiHarvestStore } from "../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { pollSources } from "../../shared/harvest/polls/poll-sources.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Starts the harvests of sources that are read on their own interval, or once. */
export const handler = scheduledHandler({
  services: () => ({
    sources: sourceStore(),
    runs: runStore(),
    archive: archiveStore(),
    requests: requestsQueue(),
    mail: messageQueue("mailReadingsQueue"),
    folders: messageQueue("documentUploadsQueue"),
    events: events(),
    oaiHarvests: oaiHarvestStore(),
  }),
  handle: (services, at) => pollSources(at, services),
});
