import type { Deadlines } from "../../records/runs/deadlines.ts";
import { variable } from "../aws/environment.ts";
import { createOneTimeSchedule } from "../aws/schedules.ts";

/** Creates the one-time schedules that start the delivery of a run. */
export function deadlines(): Deadlines {
  const schedule = (name: string, at: string, runId: string) =>
    createOneTimeSchedule(`deadline-${name}`, at, {
      targetArn: variable("validateQueueArn"),
      input: { runId },
    });
  return {
    async schedule({ runId, softDeadlineAt, deadlineAt }) {
      await schedule(runId, deadlineAt, runId);
      if (softDeadlineAt !== undefined) await schedule(`soft-${runId}`, softDeadlineAt, runId);
    },
  };
}
