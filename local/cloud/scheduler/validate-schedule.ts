import { InputError } from "../../../shared/core/errors.ts";
import { requiredAction } from "../eventbridge/targets.ts";
import { maxScheduleInputBytes, scheduleNamePattern } from "../limits.ts";
import { parseScheduleExpression, type Timing } from "./schedule-expression.ts";
import type { ScheduleDefinition } from "./schedule-store.ts";

/** The ranges of a retry policy. @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html */
const retryRanges = { MaximumRetryAttempts: [0, 185], MaximumEventAgeInSeconds: [60, 86_400] } as const;

/**
 * Refuses schedules that EventBridge Scheduler refuses, both from the API and from templates.
 *
 * @returns when the schedule fires
 * @throws InputError that names the field and its value
 * @throws ConfigError for targets that the local cloud does not have
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_CreateSchedule.html
 */
export function validateSchedule(definition: ScheduleDefinition): Timing {
  const { Name, Target, FlexibleTimeWindow, ScheduleExpression, ScheduleExpressionTimezone } = definition;
  if (!scheduleNamePattern.test(Name)) {
    throw new InputError("Name", Name, `must match ${scheduleNamePattern.source}`);
  }
  if (FlexibleTimeWindow?.Mode !== "OFF") {
    throw new InputError(
      "FlexibleTimeWindow",
      FlexibleTimeWindow,
      "must be given with the Mode OFF, because the local cloud has no flexible time windows",
    );
  }
  if (Buffer.byteLength(Target.Input ?? "") > maxScheduleInputBytes) {
    throw new InputError("Target.Input", "", `is longer than ${maxScheduleInputBytes} bytes`);
  }
  for (const [name, [least, most]] of Object.entries(retryRanges)) {
    const value = Target.RetryPolicy?.[name as keyof typeof retryRanges];
    if (value !== undefined && !(value >= least && value <= most)) {
      throw new InputError(`Target.RetryPolicy.${name}`, value, `must be from ${least} to ${most}`);
    }
  }
  const deadLetters = Target.DeadLetterConfig?.Arn;
  if (deadLetters?.endsWith(".fifo")) {
    throw new InputError("Target.DeadLetterConfig.Arn", deadLetters, "must be a standard queue");
  }
  requiredAction(Target.Arn);
  return parseScheduleExpression(ScheduleExpression, ScheduleExpressionTimezone);
}
