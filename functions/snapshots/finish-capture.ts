import { listVariable, variable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { jobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import { failJob } from "../../shared/snapshots/jobs/begin-job.ts";
import { finishJob } from "../../shared/snapshots/jobs/finish-job.ts";
import { capturedUrls } from "../../shared/snapshots/stores/captured-urls.ts";
import { jobFiles } from "../../shared/snapshots/stores/snapshot-files.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";

/** Joins the records of a capture into WARC files, and writes their index and the crawl log. */
export const handler = sqsHandler({
  message: jobMessage,
  services: () => ({
    snapshots: snapshotStore(),
    urls: capturedUrls(),
    files: jobFiles(),
    events: events(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    userAgent: variable("userAgent"),
    clock: systemClock,
  }),
  handle: finishJob,
  settle: failJob,
});
