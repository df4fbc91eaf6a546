import { messageQueue, requestsQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import type { JobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import { readCapture, settleCapture } from "../../shared/snapshots/jobs/read-capture.ts";
import { capturedUrls } from "../../shared/snapshots/stores/captured-urls.ts";
import { capturedAnswers, jobFiles, storedIndexes } from "../../shared/snapshots/stores/snapshot-files.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";
import { inboundResponse } from "../../shared/web/request/response.ts";

/** Stores a response as records of a WARC file, and requests its links. */
export const handler = sqsHandler({
  message: inboundResponse,
  services: () => ({
    snapshots: snapshotStore(),
    urls: capturedUrls(),
    requests: requestsQueue(),
    answers: capturedAnswers(),
    writePart: jobFiles().writePart,
    lookup: storedIndexes(),
    capturedJobs: messageQueue<JobMessage>("capturedJobsQueue"),
    newId: () => crypto.randomUUID(),
    clock: systemClock,
  }),
  handle: readCapture,
  settle: settleCapture,
});
