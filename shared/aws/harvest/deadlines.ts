import type { Deadlines } from "../../ports.ts";
import { variable } from "../environment.ts";
import { createOnce } from "../schedules.ts";

/** One-time schedules that ask for the delivery of a run. */
export function deadlines(): Deadlines {
  return {
    set: (runId, at) =>
      createOnce(`deadline-${runId}`, at, { targetArn: variable("validateQueueArn"), input: { runId } }),
  };
}
