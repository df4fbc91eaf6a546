import { Duration } from "aws-cdk-lib";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SqsEventSource, type SqsEventSourceProps } from "aws-cdk-lib/aws-lambda-event-sources";
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { deadLetterQueueName, queueNames, requestQueue, variables } from "../../shared/names.ts";
import { deploymentSettings } from "../settings.ts";
import { DeadLetterAlarm } from "./dead-letter-alarm.ts";
import { grantQuarantine } from "./failed-messages.ts";
import { RunbookAlarm } from "./runbook-alarm.ts";

/** The key in `queueNames` of a queue to which functions send. */
export type WorkQueueName = Exclude<keyof typeof queueNames, "scheduleDeadLetters">;

interface WorkQueueProps {
  name: WorkQueueName;
  /** The number of the queue, if several queues share its name. Default: the first. */
  number?: number;
  /** The timeout of the function that reads the queue. */
  readerTimeout: Duration;
  /** The number of receives before a message is dead-lettered. Default: eight. */
  maxReceiveCount?: number;
  /** The meaning of messages in the dead-letter queue, in a sentence. */
  deadLetterSummary: string;
  /** The anchor of the entry in `docs/runbook.md`. */
  runbook: string;
  /** How long a message may wait before the alarm for waiting messages is raised. Default: two hours. */
  maxAge?: Duration;
  /**
   * Whether the queue has this alarm in every deployment, for US$ 0.10 a month. Default: by
   * `ingather:queueAgeAlarms`.
   */
  isAlwaysWatched?: true;
  /**
   * Whether the queue belongs to a stage of a run. Its function fails the run instead of quarantining
   * messages.
   */
  isStage?: true;
  /** The name of the dead-letter queue, if it is not derived from the name of the queue. */
  deadLetterQueueName?: string;
  /** A dead-letter queue that is shared with another queue. Default: a separate queue with an alarm. */
  deadLetters?: Queue;
}

/**
 * Three attempts, and the receives during an hour in which Lambda is throttled: each visibility timeout uses
 * up one.
 */
const defaultReceives = 8;

/** How long SQS keeps a message: its maximum. */
const retention = Duration.days(14);

const defaultMaxAge = Duration.hours(2);

/**
 * Returns the visibility timeout: six times the timeout of the reader, as AWS advises, but at least 15
 * minutes. An hour of throttling then uses up few receives, because Lambda retries a throttled batch until
 * this timeout ends. With many permitted receives, the timeout is shorter. Otherwise, SQS would delete a
 * message whose reader always fails before the message is dead-lettered.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
function visibilityTimeout({
  readerTimeout,
  receives,
  maxAge,
}: {
  readerTimeout: Duration;
  receives: number;
  /** How long a message may wait before its first receive. */
  maxAge: Duration;
}): Duration {
  const wanted = Math.max(readerTimeout.toSeconds() * 6, Duration.minutes(15).toSeconds());
  const most = Math.floor((retention.toSeconds() - maxAge.toSeconds()) / receives);
  return Duration.seconds(Math.min(wanted, most));
}

/**
 * A queue with a dead-letter queue, and an alarm for the latter. A grant permits access and sets the
 * function's variable.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  private readonly variable: string;
  private readonly quarantines: boolean;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.variable = variables[`${props.name}Queue`];
    const queueName = requestQueue(queueNames[props.name], props.number ?? 0);
    const isFifo = queueName.endsWith(".fifo");
    this.quarantines = !isFifo && props.isStage !== true;
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      ...(isFifo && { fifo: true as const }),
    };
    const { readerTimeout, maxReceiveCount: receives = defaultReceives, maxAge = defaultMaxAge } = props;
    this.deadLetters = props.deadLetters ?? this.ownDeadLetters(queueName, props, common);
    this.queue = new Queue(this, "Queue", {
      ...common,
      queueName,
      retentionPeriod: retention,
      visibilityTimeout: visibilityTimeout({ readerTimeout, receives, maxAge }),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: receives },
      ...(isFifo && {
        // Deduplication is based on content, because a schedule cannot set a deduplication id.
        contentBasedDeduplication: true,
        deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
        fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      }),
    });
    if (props.isAlwaysWatched || deploymentSettings(this.node).queueAgeAlarms === "on") {
      this.watchAge(queueName, maxAge);
    }
  }

  private ownDeadLetters(
    queueName: string,
    { deadLetterQueueName: given, deadLetterSummary: summary, runbook }: WorkQueueProps,
    common: QueueProps,
  ): Queue {
    const queue = new Queue(this, "DeadLetters", {
      ...common,
      queueName: given ?? deadLetterQueueName(queueName),
      retentionPeriod: retention,
    });
    new DeadLetterAlarm(this, "DeadLettered", { queue, summary, runbook });
    return queue;
  }

  private watchAge(queueName: string, maxAge: Duration): void {
    new RunbookAlarm(this, "Old", {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(15) }),
      threshold: maxAge.toSeconds(),
      summary: `Messages wait in ${queueName} for ${maxAge.toHours()} hours.`,
      runbook: "messages-wait",
    });
  }

  grantSend(fn: LambdaFunction): void {
    this.queue.grant(fn, "sqs:SendMessage");
    fn.addEnvironment(this.variable, this.queue.queueUrl);
  }

  /**
   * Makes the queue an event source of the function. Only the messages that the function reports as failed
   * are received again.
   */
  addConsumer(fn: LambdaFunction, options: Omit<SqsEventSourceProps, "reportBatchItemFailures"> = {}): void {
    if (this.quarantines) grantQuarantine(fn);
    fn.addEventSource(new SqsEventSource(this.queue, { ...options, reportBatchItemFailures: true }));
  }
}
