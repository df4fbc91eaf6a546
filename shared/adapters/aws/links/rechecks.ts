import type { Rechecks } from "../../../links/check/rechecks.ts";
import { variable } from "../environment.ts";
import { groupIdOf } from "../queues.ts";
import { createOneTimeSchedule } from "../schedules.ts";

/** One-time schedules that put a check straight into the line of its host. */
export function rechecks(): Rechecks {
  return {
    schedule: (time, request) =>
      createOneTimeSchedule(`recheck-${request.id}`, time, {
        targetArn: variable("requestsQueueArn"),
        messageGroupId: groupIdOf(request),
        input: request,
      }),
  };
}
