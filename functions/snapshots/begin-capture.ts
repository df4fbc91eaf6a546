import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { jobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import { beginJob, failJob } from "../../shared/snapshots/jobs/begin-job.ts";
import { capturedUrls } from "../../shared/snapshots/stores/captured-urls.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";

/** Begins a capture: requests its seeds. */
export const handler = sqsHandler({
  message: jobMessage,
  services: () => ({
    snapshots: snapshotStore(),
    urls: capturedUrls(),
    requests: requestsQueue(),
    clock: systemClock,
  }),
  handle: beginJob,
  settle: failJob,
});
