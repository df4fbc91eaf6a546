import { deadlines } from "../../shared/aws/deadlines.ts";
import { wholeNumber } from "../../shared/aws/environment.ts";
import { requestsQueue, stageQueue } from "../../shared/aws/queues.ts";
import { runStore } from "../../shared/aws/run-store.ts";
import { sourceStatusStore } from "../../shared/aws/source-status-store.ts";
import { sourceStore } from "../../shared/aws/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { runStart } from "../../shared/harvest/run.ts";
import { startHarvest } from "../../shared/harvest/start-harvest.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Opens a run: asks for the first page of each source. */
export const handler = sqsHandler({
  message: runStart,
  services: () => ({
    sources: sourceStore(),
    status: sourceStatusStore(),
    runs: runStore(),
    requests: requestsQueue(),
    deadlines: deadlines(),
    delivery: stageQueue("validateQueue"),
    clock: systemClock,
    runDeadlineMinutes: wholeNumber("runDeadlineMinutes"),
  }),
  handle: startHarvest,
});
