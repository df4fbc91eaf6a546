import { groupIdOf, queueOfGroup } from "../../adapters/aws/queues.ts";
import { createOneTimeSchedule } from "../../adapters/aws/schedules.ts";
import type { Rechecks } from "../check/rechecks.ts";

/** One-time schedules that send a check to the queue of its host's requests. */
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
