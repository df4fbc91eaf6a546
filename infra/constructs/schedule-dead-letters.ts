import { Duration, Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { queueNames } from "../../shared/names.ts";
import { DeadLetterAlarm } from "./dead-letter-alarm.ts";

/**
 * The dead-letter queue of all schedules, with its alarm. Each message names its schedule. It is a standard
 * queue, because schedules do not support FIFO queues.
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
      reason: "It is the dead-letter queue of schedules. No queue refers to it.",
    });
    new DeadLetterAlarm(this, "Undelivered", {
      queue: this.queue,
      summary: "A schedule could not deliver its message.",
      runbook: "schedules-dead-letters",
    });
  }

  /**
   * Creates a role for schedules of this account. It permits one action, and sending undelivered messages to
   * the dead-letter queue.
   */
  role(scope: Construct, permission: { action: string; resources: string[] }): Role {
    const role = new Role(scope, "Role", {
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        // Prevents schedules of other accounts from using the role (confused deputy).
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
      }),
    });
    role.addToPolicy(new PolicyStatement({ actions: [permission.action], resources: permission.resources }));
    role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [this.queue.queueArn] }));
    return role;
  }
}
