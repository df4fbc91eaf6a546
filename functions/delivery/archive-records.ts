import { events } from "../../shared/adapters/aws/events.ts";
import { stageQueue } from "../../shared/adapters/aws/queues.ts";
import { archiveStore } from "../../shared/adapters/records/archive-store.ts";
import { recordStore } from "../../shared/adapters/records/record-store.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStatusStore } from "../../shared/adapters/records/source-status-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { archiveRun } from "../../shared/deliver/archive/archive.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Archives the delivered records of a run. */
export const handler = stageHandler({
  stage: "archive",
  services: () => ({
    runs: runStore(),
    records: recordStore(),
    archive: archiveStore(),
    status: sourceStatusStore(),
    events: events(),
    next: stageQueue("overdueQueue"),
    partsQueue: stageQueue("archiveQueue"),
    clock: systemClock,
    reports: stageQueue("reportsQueue"),
  }),
  handle: archiveRun,
});
