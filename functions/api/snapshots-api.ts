import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { doneOnceByKey } from "../../shared/api/idempotency.ts";
import { keyedRequestStore } from "../../shared/api/keyed-request-store.ts";
import { askForRoles } from "../../shared/api/role-guard.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import type { JobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import type { IndexRequest } from "../../shared/snapshots/index/build/index-build.ts";
import { type SnapshotPorts, snapshotSubjects } from "../../shared/snapshots/routes/snapshot-routes.ts";
import { indexBuildFiles } from "../../shared/snapshots/stores/index-build-files.ts";
import { jobFileUrls } from "../../shared/snapshots/stores/job-file-urls.ts";
import {
  capturePackages,
  indexReports,
  storedIndexes,
} from "../../shared/snapshots/stores/snapshot-files.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";

const keyed = { keyedRequests: keyedRequestStore(), clock: systemClock };
const subjects = doneOnceByKey<SnapshotPorts>(snapshotSubjects, keyed);

/** Serves the routes of web snapshots. */
export const handler = httpHandler(
  createApp(askForRoles(subjects), {
    snapshots: snapshotStore(),
    indexRequests: messageQueue<IndexRequest>("indexRequestsQueue"),
    lookup: storedIndexes(),
    report: indexReports(),
    filesOf: indexBuildFiles().filesOf,
    fileUrls: jobFileUrls(),
    packages: capturePackages().packages,
    packageRequests: messageQueue<JobMessage>("capturePackagesQueue"),
    clock: systemClock,
  }),
);
