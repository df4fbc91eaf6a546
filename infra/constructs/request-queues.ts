import { type IMetric, MathExpression, type MetricOptions } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { SqsEventSourceProps } from "aws-cdk-lib/aws-lambda-event-sources";
import { inBatches } from "../../shared/core/in-batches.ts";
import { variables } from "../../shared/names.ts";
import type { WorkQueue } from "./work-queue.ts";

/** @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html */
const maxMetricsOfAlarm = 10;

/** The queues of requests. The hosts are divided among them; all requests of a host are in the same queue. */
export class RequestQueues {
  readonly queues: readonly [WorkQueue, ...WorkQueue[]];

  constructor(queues: readonly [WorkQueue, ...WorkQueue[]]) {
    this.queues = queues;
  }

  /** Permits a function to send to all of these queues, and sets its variables. */
  grantSend(fn: LambdaFunction): void {
    const [first, ...others] = this.queues;
    first.grantSend(fn);
    for (const { queue } of others) queue.grant(fn, "sqs:SendMessage");
    if (others.length > 0) fn.addEnvironment(variables.requestQueues, String(this.queues.length));
  }

  addConsumer(fn: LambdaFunction, options: Omit<SqsEventSourceProps, "reportBatchItemFailures">): void {
    for (const queue of this.queues) queue.addConsumer(fn, options);
  }

  /**
   * Returns metrics of the maximum number of messages in flight in a queue, for ten queues each, because the
   * limit of SQS applies to each queue.
   */
  mostInFlight(options: MetricOptions): IMetric[] {
    return inBatches(this.queues, maxMetricsOfAlarm).map((queues) => {
      const metrics = queues.map(({ queue }) => queue.metricApproximateNumberOfMessagesNotVisible(options));
      const [first] = metrics;
      if (metrics.length === 1 && first !== undefined) return first;
      const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]));
      return new MathExpression({ ...options, expression: "MAX(METRICS())", usingMetrics });
    });
  }
}
