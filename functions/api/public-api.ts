import { publicRoutes } from "../../shared/api/public-routes.ts";
import { collectionStore } from "../../shared/aws/collection-store.ts";
import { linkRecords } from "../../shared/aws/link-records.ts";
import { requestsQueue } from "../../shared/aws/queues.ts";
import { recordStore } from "../../shared/aws/record-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { bestEffort } from "../../shared/runtime/best-effort.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

export const handler = httpHandler(
  publicRoutes({
    records: recordStore(),
    links: linkRecords(),
    collections: collectionStore(),
    requests: requestsQueue(),
    clock: systemClock,
    bestEffort,
  }),
);
