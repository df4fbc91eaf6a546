import { archiveStore } from "../../shared/aws/archive-store.ts";
import { stageQueue } from "../../shared/aws/queues.ts";
import { recordStore } from "../../shared/aws/record-store.ts";
import { runStore } from "../../shared/aws/run-store.ts";
import { sourceStatusStore } from "../../shared/aws/source-status-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { archiveRun } from "../../shared/delivery/archive.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Notes what was delivered. */
export const handler = stageHandler({
  stage: "archive",
  services: () => ({
    runs: runStore(),
    records: recordStore(),
    archive: archiveStore(),
    status: sourceStatusStore(),
    next: stageQueue("overdueQueue"),
    clock: systemClock,
    reports: stageQueue("reportsQueue"),
  }),
  handle: archiveRun,
});
