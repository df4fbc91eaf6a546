import { variable } from "../../shared/adapters/aws/environment.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { expectedDelays } from "../../shared/adapters/gate/expected-delays.ts";
import { networkIsDown } from "../../shared/adapters/gate/network-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { linkRecords } from "../../shared/links/stores/link-records.ts";
import { linkSamples } from "../../shared/links/stores/link-samples.ts";
import { sampleLinks } from "../../shared/links/sweep/sample-links.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Requests checks of randomly selected links, to estimate the share of dead links. */
export const handler = scheduledHandler({
  services: () => ({
    collections: collectionStore(),
    records: linkRecords(),
    samples: linkSamples(),
    requests: requestsQueue(),
    delayOf: expectedDelays(systemClock),
    networkIsDown: networkIsDown(),
    timeZone: variable("timeZone"),
  }),
  handle: (services, at) => sampleLinks(at, services),
});
