import { Duration, TimeZone } from "aws-cdk-lib";
import type { IDestination } from "aws-cdk-lib/aws-lambda";
import { Schedule, ScheduleExpression } from "aws-cdk-lib/aws-scheduler";
import { LambdaInvoke } from "aws-cdk-lib/aws-scheduler-targets";
import { Construct } from "constructs";
import { deploymentSettings } from "../settings.ts";
import type { DeployedFunction } from "./deployed-function.ts";
import { RunbookAlarm } from "./runbook-alarm.ts";
import type { ScheduleDeadLetters } from "./schedule-dead-letters.ts";

interface FunctionScheduleProps {
  fn: DeployedFunction;
  scheduleName: string;
  /** The interval, or the hour of each day in the deployment's time zone. */
  when: { every: Duration } | { hour: number };
  /** Receives invocations that Lambda does not accept, and retried invocations that fail or are dropped. */
  deadLetters: ScheduleDeadLetters;
  /** The alarm, which is raised at this number of errors in the period. */
  alarm: { errors: number; period: Duration; summary: string; runbook: string };
}

/**
 * The shortest interval in minutes with retries. With a shorter one, the next invocation does the work of one
 * that failed.
 */
const leastRetriedMinutes = 60;

/** The schedule of a function, with an alarm for its failures. */
export class FunctionSchedule extends Construct {
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { fn, scheduleName, when, deadLetters, alarm } = props;
    const maxEventAge = "every" in when ? when.every : Duration.hours(2);
    const retryAttempts = maxEventAge.toMinutes() < leastRetriedMinutes ? 0 : 2;
    fn.configureAsyncInvoke({
      retryAttempts,
      maxEventAge,
      // Otherwise, Lambda would drop the event and only count it.
      ...(retryAttempts > 0 && { onFailure: deadLetterDestination(deadLetters) }),
    });
    const role = deadLetters.role(this, { action: "lambda:InvokeFunction", resources: [fn.functionArn] });
    new Schedule(this, "Schedule", {
      scheduleName,
      description: fn.description,
      schedule:
        "every" in when
          ? ScheduleExpression.rate(when.every)
          : ScheduleExpression.cron({ hour: String(when.hour), minute: "0", timeZone: this.timeZone() }),
      target: new LambdaInvoke(fn, {
        // The CDK would also permit the role to invoke all versions of the function.
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

  private timeZone(): TimeZone {
    return TimeZone.of(deploymentSettings(this.node).timeZone);
  }
}

/**
 * Returns a destination to which Lambda sends with the role of the function. The CDK's own destination would
 * also permit the function to read the queue.
 */
function deadLetterDestination({ queue }: ScheduleDeadLetters): IDestination {
  return {
    bind: (_scope, fn) => {
      queue.grant(fn, "sqs:SendMessage");
      return { destination: queue.queueArn };
    },
  };
}
