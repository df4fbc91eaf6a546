import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { networkIsDown } from "../../shared/adapters/gate/network-store.ts";
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
    networkIsDown: networkIsDown(),
  }),
  handle: (services, at) => sweepCollections(at, services),
});
