import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { oaiHarvestStore } from "../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { pollSources } from "../../shared/harvest/oai/poll-sources.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Starts the harvests of sources that are read on their own interval, or once. */
export const handler = scheduledHandler({
  services: () => ({
    sources: sourceStore(),
    runs: runStore(),
    requests: requestsQueue(),
    oaiHarvests: oaiHarvestStore(),
  }),
  handle: (services, at) => pollSources(at, services),
});
