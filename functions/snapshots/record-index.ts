import { listVariable } from "../../shared/adapters/aws/environment.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { mailer } from "../../shared/adapters/aws/mailer.ts";
import { messageQueue } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";
import type { JobMessage } from "../../shared/snapshots/definitions/job-message.ts";
import { recordIndex } from "../../shared/snapshots/definitions/record-index.ts";
import { indexAnswer } from "../../shared/snapshots/index/build/index-answer.ts";
import { snapshotStore } from "../../shared/snapshots/stores/snapshot-store.ts";

/**
 * Records the state of a deduplication index in its harvest definition, and begins the jobs that wait for it.
 */
export const handler = sqsHandler({
  message: indexAnswer,
  services: () => ({
    snapshots: snapshotStore(),
    captureJobs: messageQueue<JobMessage>("captureJobsQueue"),
    events: events(),
    mailer: mailer(),
    recipients: listVariable("mailTo"),
    clock: systemClock,
  }),
  handle: recordIndex,
});
