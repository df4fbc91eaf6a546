import type { Rechecks } from "../../../links/check/rechecks.ts";
import { variable } from "../environment.ts";
import { groupIdOf } from "../queues.ts";
import { createOneTimeSchedule } from "../schedules.ts";

/** One-time schedules that send a check to the requests queue. */
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
