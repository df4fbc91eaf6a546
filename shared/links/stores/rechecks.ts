import { groupIdOf, queueOfGroup } from "../../adapters/aws/queues.ts";
import { createOneTimeSchedule } from "../../adapters/aws/schedules.ts";
import type { Rechecks } from "../check/rechecks.ts";

/** Creates one-time schedules, each of which sends a check to the queue of requests. */
export function rechecks(): Rechecks {
  return {
    schedule(time, request) {
      const messageGroupId = groupIdOf(request);
      const targetArn = queueOfGroup(messageGroupId, "requestsQueueArn");
      return createOneTimeSchedule(`recheck-${request.id}`, time, {
        targetArn,
        messageGroupId,
        input: request,
      });
    },
  };
}
