import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { hostShares } from "../../shared/adapters/gate/host-shares.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { collectionStore } from "../../shared/links/stores/collection-store.ts";
import { linkHistory } from "../../shared/links/stores/link-history.ts";
import { linkRecords } from "../../shared/links/stores/link-records.ts";
import { publicSubjects } from "../../shared/operations/routes/public-routes.ts";
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
