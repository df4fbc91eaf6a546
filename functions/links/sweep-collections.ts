import { collectionStore } from "../../shared/aws/collection-store.ts";
import { linkRecords } from "../../shared/aws/link-records.ts";
import { networkIsDown } from "../../shared/aws/network-store.ts";
import { requestsQueue } from "../../shared/aws/queues.ts";
import { sweepStore } from "../../shared/aws/sweep-store.ts";
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
