import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { expectedDelays } from "../../shared/adapters/gate/expected-delays.ts";
import { networkIsDown } from "../../shared/adapters/gate/network-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { busyHostStore } from "../../shared/links/stores/busy-hosts.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { linkRecords } from "../../shared/links/stores/link-records.ts";
import { sweepStore } from "../../shared/links/stores/sweep-store.ts";
import { sweepCollections } from "../../shared/links/sweep/sweep-collections.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Requests checks of the oldest and newest links of each collection. */
export const handler = scheduledHandler({
  services: () => ({
    collections: collectionStore(),
    records: linkRecords(),
    sweeps: sweepStore(),
    requests: requestsQueue(),
    busyHosts: busyHostStore(),
    delayOf: expectedDelays(systemClock),
    networkIsDown: networkIsDown(),
  }),
  handle: (services, at) => sweepCollections(at, services),
});
