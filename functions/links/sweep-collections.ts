import { networkIsDown } from "../../shared/adapters/aws/gate/network-store.ts";
import { collectionStore } from "../../shared/adapters/aws/links/collection-store.ts";
import { linkRecords } from "../../shared/adapters/aws/links/link-records.ts";
import { sweepStore } from "../../shared/adapters/aws/links/sweep-store.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
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
