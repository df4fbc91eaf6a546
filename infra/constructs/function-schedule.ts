import type { Duration } from "aws-cdk-lib";
import type { IDestination } from "aws-cdk-lib/aws-lambda";
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
  /** Receives invocations that Lambda does not accept, and retried ones that fail or are dropped. */
  deadLetters: ScheduleDeadLetters;
  /** Retries of a failed invocation: 0 to 2. */
  retryAttempts: number;
  maxEventAge: Duration;
  /** The alarm is raised at this number of errors in the period. */
  alarm: { errors: number; period: Duration; summary: string; runbook: string };
}

/** The schedule of a function, with an alarm for failures of the function. */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { fn, scheduleName, description, schedule, deadLetters, retryAttempts, maxEventAge, alarm } = props;
    fn.configureAsyncInvoke({
      retryAttempts,
      maxEventAge,
      // What is not retried is done by the next invocation. Else, Lambda would drop the event and count it alone.
      ...(retryAttempts > 0 && { onFailure: deadLetterDestination(deadLetters) }),
    });
    const role = deadLetters.role(this, { action: "lambda:InvokeFunction", resources: [fn.functionArn] });
    new Schedule(this, "Schedule", {
      scheduleName,
      description,
      schedule,
      target: new LambdaInvoke(fn, {
        // The CDK would also grant the role all versions of the function.
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

/** Lambda sends with the role of the function. The CDK's own destination would also let it read the queue. */
function deadLetterDestination({ queue }: ScheduleDeadLetters): IDestination {
  return {
    bind: (_scope, fn) => {
      queue.grant(fn, "sqs:SendMessage");
      return { destination: queue.queueArn };
    },
  };
}
