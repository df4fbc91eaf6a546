import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource, type SqsEventSourceProps } from "aws-cdk-lib/aws-lambda-event-sources";
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { deadLetterQueueName, variables } from "../../shared/names.ts";
import { RunbookAlarm } from "./runbook-alarm.ts";

interface WorkQueueProps {
  queueName: string;
  variable: keyof typeof variables;
  /** The timeout of the function that reads it: a message stays hidden six times as long. */
  readerTimeout: Duration;
  /** After so many receives a message goes to the dead-letter queue. */
  maxReceiveCount: number;
  /** What dead letters of this queue mean, in a sentence. */
  deadLetterSummary: string;
  /** The anchor of the entry in `docs/runbook.md`. */
  runbook: string;
}

/** A queue with its dead-letter queue and the alarm on it. Grants both permit and name the queue to the function. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  private readonly variable: string;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.variable = variables[props.variable];
    const isFifo = props.queueName.endsWith(".fifo");
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      ...(isFifo && { fifo: true as const }),
    };
    this.deadLetters = new Queue(this, "DeadLetters", {
      ...common,
      queueName: deadLetterQueueName(props.queueName),
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, "Queue", {
      ...common,
      queueName: props.queueName,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: Duration.seconds(props.readerTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
      ...(isFifo && {
        // Schedules that send to a FIFO queue can give no deduplication id.
        contentBasedDeduplication: true,
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
    });
    new RunbookAlarm(this, "PutAside", {
      metric: this.deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      threshold: 1,
      summary: props.deadLetterSummary,
      runbook: props.runbook,
    });
  }

  grantSend(fn: LambdaFunction): void {
    this.queue.grant(fn, "sqs:SendMessage");
    fn.addEnvironment(this.variable, this.queue.queueUrl);
  }

  /** Has the function read the queue; messages that it reports as failed come again, alone. */
  addConsumer(fn: LambdaFunction, options: Omit<SqsEventSourceProps, "reportBatchItemFailures"> = {}): void {
    fn.addEventSource(new SqsEventSource(this.queue, { ...options, reportBatchItemFailures: true }));
  }
}
