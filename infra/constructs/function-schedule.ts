import type { Duration } from "aws-cdk-lib";
import { Schedule, type ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Construct } from "constructs";
import type { DeployedFunction } from "./deployed-function.ts";
import { RunbookAlarm } from "./runbook-alarm.ts";
import type { ScheduleDeadLetters } from "./schedule-dead-letters.ts";

interface FunctionScheduleProps {
  fn: DeployedFunction;
  scheduleName: string;
  description: string;
  schedule: ScheduleExpression;
  /** Where it puts an invocation that the service does not take. */
  deadLetters: ScheduleDeadLetters;
  /** How often (0 to 2 times) an invocation that fails is repeated, and until when. */
  retryAttempts: number;
  maxEventAge: Duration;
  /** The alarm goes off at so many errors in the period. */
  alarm: { errors: number; period: Duration; summary: string; runbook: string };
}

/** The schedule of a function, and the alarm for when the function fails. */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { fn, scheduleName, description, schedule, deadLetters, retryAttempts, maxEventAge, alarm } = props;
    fn.configureAsyncInvoke({ retryAttempts, maxEventAge });
    const role = deadLetters.role(this, { action: "lambda:InvokeFunction", resource: fn.functionArn });
    new Schedule(this, "Schedule", {
      scheduleName,
      description,
      schedule,
      target: new LambdaInvoke(fn, {
        // It would be given a right to all versions of the function too.
        role: role.withoutPolicyUpdates(),
        deadLetterQueue: deadLetters.queue,
        retryAttempts,
        maxEventAge,
      }),
    });
    new RunbookAlarm(this, "Fails", {
      metric: fn.metricErrors({ period: alarm.period }),
      threshold: alarm.errors,
      summary: alarm.summary,
      runbook: alarm.runbook,
    });
  }
}
