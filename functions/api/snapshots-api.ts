import { keyedRequestStore } from "../../shared/adapters/aws/keyed-request-store.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { indexBuildFiles } from "../../shared/adapters/aws/snapshots/index-build-files.ts";
import { jobFileUrls } from "../../shared/adapters/aws/snapshots/job-file-urls.ts";
import {
  capturePackages,
  indexReports,
  storedIndexes,
} from "../../shared/adapters/aws/snapshots/snapshot-files.ts";
import { snapshotStore } from "../../shared/adapters/aws/snapshots/snapshot-store.ts";
import { createApp } from "../../shared/api/create-app.ts";
import { doneOnceByKey } from "../../shared/api/idempotency.ts";
import { askForRoles } from "../../shared/api/role-guard.ts";
import { snapshotSubjects } from "../../shared/api/snapshot-routes.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { httpHandler } from "../../shared/runtime/http.ts";
import type { JobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import type { IndexRequest } from "../../shared/snapshots/index/build/index-build.ts";

const keyed = { keyedRequests: keyedRequestStore(), clock: systemClock };
const subjects = doneOnceByKey(snapshotSubjects, keyed);

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
