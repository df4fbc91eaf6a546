import { requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { capturedUrls } from "../../shared/adapters/aws/snapshots/captured-urls.ts";
import { snapshotStore } from "../../shared/adapters/aws/snapshots/snapshot-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import { jobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import { beginJob } from "../../shared/snapshots/jobs/begin-job.ts";

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
});
