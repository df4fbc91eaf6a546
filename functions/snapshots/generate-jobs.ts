import { listVariable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { scheduledHandler } from "../../shared/runtime/scheduled.ts";
import { generateJobs } from "../../shared/snapshots/definitions/generate-jobs.ts";
import type { JobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import type { IndexRequest } from "../../shared/snapshots/index/build/index-build.ts";
import { capturedUrls } from "../../shared/snapshots/stores/captured-urls.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";

/** Creates jobs from the harvest definitions that may start. */
export const handler = scheduledHandler({
  services: () => ({
    snapshots: snapshotStore(),
    indexRequests: messageQueue<IndexRequest>("indexRequestsQueue"),
    captureJobs: messageQueue<JobMessage>("captureJobsQueue"),
    capturedJobs: messageQueue<JobMessage>("capturedJobsQueue"),
    urls: capturedUrls(),
    events: events(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    clock: systemClock,
  }),
  handle: (services, at) => generateJobs(at, services),
});
