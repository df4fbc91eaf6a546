import { networkIsDown } from "../../shared/aws/gate/network-store.ts";
import { collectionStore } from "../../shared/aws/links/collection-store.ts";
import { linkRecords } from "../../shared/aws/links/link-records.ts";
import { sweepStore } from "../../shared/aws/links/sweep-store.ts";
import { requestsQueue } from "../../shared/aws/queues.ts";
import { sweepCollections } from "../../shared/links/sweep/sweep-collections.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";

/** Has the oldest and newest links of each collection checked. */
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
