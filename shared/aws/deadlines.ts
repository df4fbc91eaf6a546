import { ConflictException, CreateScheduleCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import type { Deadlines } from "../ports.ts";
import { variable } from "./environment.ts";

const scheduler = new SchedulerClient({});

/** One-time schedules that ask for the delivery of a run. */
export function deadlines(): Deadlines {
  return {
    async set(runId, at) {
      try {
        await scheduler.send(
          new CreateScheduleCommand({
            Name: `deadline-${runId}`,
            GroupName: variable("scheduleGroup"),
            ScheduleExpression: `at(${at.slice(0, 19)})`,
            ScheduleExpressionTimezone: "UTC",
            FlexibleTimeWindow: { Mode: "OFF" },
            ActionAfterCompletion: "DELETE",
            Target: {
              Arn: variable("validateQueueArn"),
              RoleArn: variable("scheduleRole"),
              Input: JSON.stringify({ runId }),
            },
          }),
        );
      } catch (error) {
        // Set before, by the same start.
        if (!(error instanceof ConflictException)) throw error;
      }
    },
  };
}
