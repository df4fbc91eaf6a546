import { numberVariable } from "../../shared/adapters/aws/environment.ts";
import { messageQueue, requestsQueue, stageQueue, stageQueues } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { deadlines } from "../../shared/adapters/records/deadlines.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStatusStore } from "../../shared/adapters/records/source-status-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { failStart } from "../../shared/deliver/pipeline/fail-run.ts";
import { resumeRuns } from "../../shared/deliver/pipeline/resume.ts";
import { startHarvest } from "../../shared/harvest/start-harvest.ts";
import { oaiHarvestStore } from "../../shared/harvest/stores/oai-harvest-store.ts";
import { runStart } from "../../shared/records/runs/run.ts";
import { messageTries } from "../../shared/runtime/quarantine.ts";
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
  handle: async (start, services, { receiveCount }) => {
    await startHarvest(start, { ...services, isLastTry: receiveCount >= messageTries - 1 });
    await resumeRuns(start.deliveryMode, services);
  },
  settle: (start, services, reason) =>
    failStart(start, reason, { ...services, reports: services.stageQueues.report }),
});
