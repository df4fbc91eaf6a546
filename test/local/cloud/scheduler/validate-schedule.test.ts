import { expect, it } from "vitest";
import type { ScheduleDefinition } from "../../../../local/cloud/scheduler/schedule-store.ts";
import { validateSchedule } from "../../../../local/cloud/scheduler/validate-schedule.ts";

const target = { Arn: "arn:aws:sqs:r:000000000000:work.fifo", RoleArn: "role" };
const schedule: ScheduleDefinition = {
  Name: "hourly",
  ScheduleExpression: "rate(1 hour)",
  FlexibleTimeWindow: { Mode: "OFF" },
  Target: { ...target, RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } },
};

it("a schedule within all limits → when it fires", () => {
  expect(validateSchedule(schedule)).toEqual({ kind: "rate", everyMs: 3_600_000 });
});

const { FlexibleTimeWindow: _window, ...withoutWindow } = schedule;
const withPolicy = (RetryPolicy: object) => ({ ...schedule, Target: { ...target, RetryPolicy } });

it.each<[string, ScheduleDefinition, string]>([
  ["a name of 65 characters", { ...schedule, Name: "a".repeat(65) }, "Name: must match"],
  ["no window", withoutWindow, "FlexibleTimeWindow: must be given"],
  [
    "a flexible window",
    { ...schedule, FlexibleTimeWindow: { Mode: "FLEXIBLE" } },
    '(got {"Mode":"FLEXIBLE"})',
  ],
  ["186 retries", withPolicy({ MaximumRetryAttempts: 186 }), "must be from 0 to 185 (got 186)"],
  [
    "retries for 59 seconds",
    withPolicy({ MaximumEventAgeInSeconds: 59 }),
    "must be from 60 to 86400 (got 59)",
  ],
  [
    "a FIFO queue of dead letters",
    { ...schedule, Target: { ...target, DeadLetterConfig: { Arn: target.Arn } } },
    "must be a standard queue",
  ],
  ["no time zone", { ...schedule, ScheduleExpressionTimezone: "Mars" }, "ScheduleExpressionTimezone"],
])("%s → refused", (_title, definition, problem) => {
  expect(() => validateSchedule(definition)).toThrow(problem);
});
