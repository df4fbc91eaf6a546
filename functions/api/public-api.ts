import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { hostShares } from "../../shared/adapters/aws/gate/host-shares.ts";
import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { collectionStore } from "../../shared/adapters/aws/links/collection-store.ts";
import { linkHistory } from "../../shared/adapters/aws/links/link-history.ts";
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
    history: linkHistory(),
    requests: requestsQueue("idleRequestsQueue"),
    shares: hostShares(),
    hourlyShare: numberVariable("hourlyShare"),
    clock: systemClock,
    bestEffort,
  }),
);
