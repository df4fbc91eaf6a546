import type { Deadlines } from "../../../runs/deadlines.ts";
import { variable } from "../environment.ts";
import { createOneTimeSchedule } from "../schedules.ts";

/** One-time schedules that start the delivery of a run. */
export function deadlines(): Deadlines {
  return {
    schedule: (runId, at) =>
      createOneTimeSchedule(`deadline-${runId}`, at, {
        targetArn: variable("validateQueueArn"),
        input: { runId },
      }),
  };
}
