import { ConflictException, CreateScheduleCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import { variable } from "./environment.ts";

const scheduler = new SchedulerClient({});

/** A schedule takes some time to be made. */
const minLeadMs = 2000;

/**
 * A one-time schedule in the function's group that sends a message to a queue. Made before under the same name, it stays
 * as it is. A time that has passed is as soon as possible: the service refuses it.
 * @param at ISO 8601 in UTC; counted in whole seconds, rounded up
 */
export async function createOneTimeSchedule(
  name: string,
  at: string,
  message: { targetArn: string; messageGroupId?: string; input: object },
): Promise<void> {
  const { targetArn, messageGroupId, input } = message;
  const seconds = Math.ceil(Math.max(Date.parse(at), Date.now() + minLeadMs) / 1000);
  try {
    await scheduler.send(
      new CreateScheduleCommand({
        Name: name,
        GroupName: variable("scheduleGroup"),
        ScheduleExpression: `at(${new Date(seconds * 1000).toISOString().slice(0, 19)})`,
        ScheduleExpressionTimezone: "UTC",
        FlexibleTimeWindow: { Mode: "OFF" },
        ActionAfterCompletion: "DELETE",
        Target: {
          Arn: targetArn,
          RoleArn: variable("scheduleRole"),
          // After the service's own tries, which go on for a day.
          DeadLetterConfig: { Arn: variable("scheduleDeadLetterQueueArn") },
          Input: JSON.stringify(input),
          ...(messageGroupId !== undefined && { SqsParameters: { MessageGroupId: messageGroupId } }),
        },
      }),
    );
  } catch (error) {
    if (!(error instanceof ConflictException)) throw error;
  }
}
