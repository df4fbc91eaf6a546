import { ConflictException, CreateScheduleCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import { digest } from "../../core/digest.ts";
import { variable } from "./environment.ts";

const scheduler = new SchedulerClient({});

/** The shortest time from the creation of a schedule to its start, because the service needs some time to create it. */
const minLeadMs = 2000;

/** @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html */
const acceptedName = /^[\w.-]{1,64}$/;
const keptChars = 32;

/**
 * Returns the name if the service accepts it, otherwise the beginning of the name and a digest. Ids may be long and
 * contain any characters.
 */
export function scheduleName(name: string): string {
  if (acceptedName.test(name)) return name;
  return `${name.slice(0, keptChars).replaceAll(/[^\w.-]/g, "_")}-${digest(name)}`;
}

/**
 * Creates a one-time schedule, in the function's schedule group, that sends a message to a queue. An existing schedule
 * with the same name is unchanged. The service refuses a time in the past, so the schedule then starts as soon as
 * possible.
 * @param at ISO 8601 in UTC; rounded up to whole seconds
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
        Name: scheduleName(name),
        GroupName: variable("scheduleGroup"),
        ScheduleExpression: `at(${new Date(seconds * 1000).toISOString().slice(0, 19)})`,
        ScheduleExpressionTimezone: "UTC",
        FlexibleTimeWindow: { Mode: "OFF" },
        ActionAfterCompletion: "DELETE",
        Target: {
          Arn: targetArn,
          RoleArn: variable("scheduleRole"),
          // Messages go there after the service's own retries, which last one day.
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
