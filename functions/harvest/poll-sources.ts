import { events } from "../../shared/adapters/aws/events.ts";
import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { configurationStore } from "../../shared/adapters/records/configuration-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { pollSources } from "../../shared/harvest/polls/poll-sources.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Starts the harvests of sources that have a separate interval, or that are read once. */
export const handler = scheduledHandler({
  services: () => ({
    sources: sourceStore(),
    configuration: configurationStore(),
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
