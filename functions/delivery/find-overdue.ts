import { stageQueue } from "../../shared/aws/queues.ts";
import { runStore } from "../../shared/aws/run-store.ts";
import { sourceStatusStore } from "../../shared/aws/source-status-store.ts";
import { sourceStore } from "../../shared/aws/source-store.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { findOverdue } from "../../shared/delivery/overdue.ts";
import { stageHandler } from "../../shared/runtime/stage.ts";

/** Finds the sources of which nothing has come for too long. */
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
