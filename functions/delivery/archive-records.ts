import { archiveStore } from "../../shared/adapters/aws/delivery/archive-store.ts";
import { sourceStatusStore } from "../../shared/adapters/aws/delivery/source-status-store.ts";
import { events } from "../../shared/adapters/aws/events.ts";
import { recordStore } from "../../shared/adapters/aws/harvest/record-store.ts";
import { runStore } from "../../shared/adapters/aws/harvest/run-store.ts";
import { stageQueue } from "../../shared/adapters/aws/queues.ts";
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
