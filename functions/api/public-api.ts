import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { collectionStore } from "../../shared/adapters/aws/links/collection-store.ts";
import { linkRecords } from "../../shared/adapters/aws/links/link-records.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { publicSubjects } from "../../shared/api/public-routes.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { bestEffort } from "../../shared/runtime/best-effort.ts";
import { httpHandler } from "../../shared/runtime/http.ts";

export const handler = httpHandler(
  createApp(publicSubjects, {
    records: recordStore(),
    links: linkRecords(),
    collections: collectionStore(),
    requests: requestsQueue(),
    clock: systemClock,
    bestEffort,
  }),
);
