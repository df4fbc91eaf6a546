import type { Rechecks } from "../../ports.ts";
import { variable } from "../environment.ts";
import { groupIdOf } from "../queues.ts";
import { createOnce } from "../schedules.ts";

/** One-time schedules that put a check straight into the line of its host. */
export function rechecks(): Rechecks {
  return {
    at: (time, request) =>
      createOnce(`recheck-${request.id}`, time, {
        targetArn: variable("requestsQueueArn"),
        messageGroupId: groupIdOf(request),
        input: request,
      }),
  };
}
