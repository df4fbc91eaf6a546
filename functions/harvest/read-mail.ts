import { requestsQueue, stageQueue } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { mailReading, readMail, settleMail } from "../../shared/harvest/email/read-mail.ts";
import { receivedMail } from "../../shared/harvest/stores/received-mail.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Reads the received messages of a source and requests the articles that they link to. */
export const handler = sqsHandler({
  message: mailReading,
  services: () => ({
    sources: sourceStore(),
    runs: runStore(),
    archive: archiveStore(),
    received: receivedMail(),
    requests: requestsQueue(),
    delivery: stageQueue("validateQueue"),
    clock: systemClock,
  }),
  handle: readMail,
  settle: settleMail,
});
