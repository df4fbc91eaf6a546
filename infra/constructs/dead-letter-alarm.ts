import { Duration } from "aws-cdk-lib";
import { MathExpression } from "aws-cdk-lib/aws-cloudwatch";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { RunbookAlarm } from "./runbook-alarm.ts";

interface DeadLetterAlarmProps {
  queue: Queue;
  /** The meaning of messages in the queue, in a sentence. */
  summary: string;
  /** The anchor of the entry in `docs/runbook.md`. */
  runbook: string;
}

/**
 * An alarm that is raised whenever a dead-letter queue grows. A queue that was empty for hours has no data.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export class DeadLetterAlarm extends Construct {
  constructor(scope: Construct, id: string, { queue, summary, runbook }: DeadLetterAlarmProps) {
    super(scope, id);
    const period = Duration.minutes(5);
    // The maximum is used, because a message is temporarily invisible while somebody views it.
    const messages = queue.metricApproximateNumberOfMessagesVisible({ period, statistic: "Maximum" });
    new RunbookAlarm(this, "Grows", {
      metric: new MathExpression({
        expression: "DIFF(FILL(messages, 0))",
        usingMetrics: { messages },
        label: "New dead letters",
        period,
      }),
      threshold: 1,
      summary,
      runbook,
    });
  }
}
