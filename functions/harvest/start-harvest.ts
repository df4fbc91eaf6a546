import { sourceStore } from "../../shared/adapters/aws/config/source-store.ts";
import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { sourceStatusStore } from "../../shared/adapters/aws/delivery/source-status-store.ts";
import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { deadlines } from "../../shared/adapters/aws/harvest/deadlines.ts";
import { oaiHarvestStore } from "../../shared/adapters/aws/harvest/oai-harvest-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { messageQueue, requestsQueue, stageQueue, stageQueues } from "../../shared/adapters/aws/queues.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { resumeRuns } from "../../shared/deliver/pipeline/resume.ts";
import { startHarvest } from "../../shared/harvest/start-harvest.ts";
import { runStart } from "../../shared/records/runs/run.ts";
import { sqsHandler } from "../../shared/runtime/sqs.ts";

/** Opens a run and starts its sources; then resumes interrupted runs of the same mode. */
export const handler = sqsHandler({
  message: runStart,
  services: () => ({
    sources: sourceStore(),
    status: sourceStatusStore(),
    runs: runStore(),
    archive: archiveStore(),
    requests: requestsQueue(),
    oaiHarvests: oaiHarvestStore(),
    deadlines: deadlines(),
    mail: messageQueue("mailReadingsQueue"),
    delivery: stageQueue("validateQueue"),
    stageQueues: stageQueues(),
    clock: systemClock,
    runDeadlineMinutes: numberVariable("runDeadlineMinutes"),
    softDeadlineMinutes: numberVariable("softDeadlineMinutes"),
  }),
  handle: async (start, services) => {
    await startHarvest(start, services);
    await resumeRuns(start.deliveryMode, services);
  },
});
