import { Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { queueNames } from "../../shared/names.ts";
import { RunbookAlarm } from "./runbook-alarm.ts";

/**
 * Where schedules put what they cannot deliver, with the alarm on it: one for all, as each message says whose it is. It is
 * no FIFO queue, which a schedule may not have.
 * @see https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
 */
export class ScheduleDeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, "Queue", {
      queueName: queueNames.scheduleDeadLetters,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.queue).acknowledge({
      id: "AwsSolutions::AwsSolutions-SQS3",
      reason: "It is the dead-letter queue of schedules, which no queue refers to.",
    });
    new RunbookAlarm(this, "PutAside", {
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      threshold: 1,
      summary: "A schedule could not deliver what it had to.",
      runbook: "schedules-dead-letters",
    });
  }

  /** The role of schedules of this account that may do one thing, and send what they cannot deliver to the dead-letter queue. */
  role(scope: Construct, permission: { action: string; resource: string }): Role {
    const role = new Role(scope, "Role", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        // Not for the schedules of others, on whose behalf the service could be made to act.
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
      }),
    });
    role.addToPolicy(new PolicyStatement({ actions: [permission.action], resources: [permission.resource] }));
    role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [this.queue.queueArn] }));
    return role;
  }
}
