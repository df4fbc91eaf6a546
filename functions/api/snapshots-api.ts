import { jobFileUrls } from "../../shared/adapters/aws/presigned-urls.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { indexReports, storedIndexes } from "../../shared/adapters/aws/snapshots/snapshot-files.ts";
import { snapshotStore } from "../../shared/adapters/aws/snapshots/snapshot-store.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { snapshotSubject } from "../../shared/api/snapshot-routes.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import type { IndexRequest } from "../../shared/snapshots/index/index-build.ts";

/** Serves the routes of web snapshots. */
export const handler = httpHandler(
  createApp([snapshotSubject], {
    snapshots: snapshotStore(),
    indexRequests: messageQueue<IndexRequest>("indexRequestsQueue"),
    lookup: storedIndexes(),
    report: indexReports(),
    fileUrls: jobFileUrls(),
    clock: systemClock,
  }),
);
