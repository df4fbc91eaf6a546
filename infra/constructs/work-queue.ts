import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource, type SqsEventSourceProps } from "aws-cdk-lib/aws-lambda-event-sources";
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { deadLetterQueueName, variables } from "../../shared/names.ts";
import { DeadLetterAlarm } from "./dead-letter-alarm.ts";

interface WorkQueueProps {
  queueName: string;
  variable: keyof typeof variables;
  /** The timeout of the function that reads it. */
  readerTimeout: Duration;
  /**
   * Receives of a message before it goes to the dead-letter queue: three tries, and what an hour takes in which Lambda is
   * throttled. Then each visibility timeout takes one.
   */
  maxReceiveCount: number;
  /** What messages in the dead-letter queue mean, in a sentence. */
  deadLetterSummary: string;
  /** The anchor of the entry in `docs/runbook.md`. */
  runbook: string;
  /** The name of the dead-letter queue, if it is not named after the queue. */
  deadLetterQueueName?: string;
}

/**
 * Six times the timeout of the reader, as AWS advises, and long enough that an hour of throttling takes few receives: Lambda
 * retries a throttled batch until this time is over.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
function visibilityTimeout(readerTimeout: Duration): Duration {
  return Duration.seconds(Math.max(readerTimeout.toSeconds() * 6, Duration.minutes(15).toSeconds()));
}

/** A queue with its dead-letter queue and an alarm on that. A grant permits access and sets the function's variable. */
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
      queueName: props.deadLetterQueueName ?? deadLetterQueueName(props.queueName),
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, "Queue", {
      ...common,
      queueName: props.queueName,
      retentionPeriod: Duration.days(14),
      visibilityTimeout: visibilityTimeout(props.readerTimeout),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: props.maxReceiveCount },
      ...(isFifo && {
        // A schedule cannot set a deduplication id.
        contentBasedDeduplication: true,
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
    });
    new DeadLetterAlarm(this, "DeadLettered", {
      queue: this.deadLetters,
      summary: props.deadLetterSummary,
      runbook: props.runbook,
    });
  }

  grantSend(fn: LambdaFunction): void {
    this.queue.grant(fn, "sqs:SendMessage");
    fn.addEnvironment(this.variable, this.queue.queueUrl);
  }

  /** Makes the queue an event source of the function. Only the messages that it reports as failed return. */
  addConsumer(fn: LambdaFunction, options: Omit<SqsEventSourceProps, "reportBatchItemFailures"> = {}): void {
    fn.addEventSource(new SqsEventSource(this.queue, { ...options, reportBatchItemFailures: true }));
  }
}
