import { stageQueue } from "../../shared/adapters/aws/queues.ts";
import { runStore } from "../../shared/adapters/records/run-store.ts";
import { sourceStatusStore } from "../../shared/adapters/records/source-status-store.ts";
import { sourceStore } from "../../shared/adapters/records/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { findOverdue } from "../../shared/deliver/report/overdue.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Finds the sources that have delivered nothing for longer than their window. */
export const handler = stageHandler({
  stage: "overdue",
  services: () => {
    const reports = stageQueue("reportsQueue");
    return {
      runs: runStore(),
      sources: sourceStore(),
      status: sourceStatusStore(),
      next: reports,
      reports,
      clock: systemClock,
    };
  },
  handle: findOverdue,
});
