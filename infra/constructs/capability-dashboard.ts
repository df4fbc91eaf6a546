import { Duration, Stack } from "aws-cdk-lib";
import {
  Dashboard,
  GraphWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Metric,
} from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import { deadLetterQueues } from "../../shared/names.ts";
import { logGroupName } from "./deployed-function.ts";

interface CapabilityDashboardProps {
  dashboardName: string;
  /** The deployed names of the functions. */
  functions: readonly string[];
  queues: readonly string[];
}

const period = Duration.minutes(5);
const height = 6;

/**
 * A dashboard of functions and their queues: the number and age of waiting messages, failures, the durations
 * of functions, and the latest errors in their logs. It refers to its resources by name, so that no stack
 * depends on it.
 */
export class CapabilityDashboard extends Construct {
  constructor(scope: Construct, id: string, { dashboardName, functions, queues }: CapabilityDashboardProps) {
    super(scope, id);
    const region = Stack.of(this).region;
    const graph = (title: string, metrics: Metric[]) =>
      new GraphWidget({ title, left: metrics, width: 12, height, region, leftYAxis: { min: 0 } });
    const ofQueues = (metricName: string, statistic: string, names = queues) =>
      names.map((QueueName) => metric("AWS/SQS", metricName, { QueueName }, statistic));
    const ofFunctions = (metricName: string, statistic: string) =>
      functions.map((FunctionName) => metric("AWS/Lambda", metricName, { FunctionName }, statistic));

    const dashboard = new Dashboard(this, "Dashboard", { dashboardName, defaultInterval: Duration.days(1) });
    if (queues.length > 0) {
      dashboard.addWidgets(
        graph("Messages that wait", ofQueues("ApproximateNumberOfMessagesVisible", "Maximum")),
        graph("Age of the oldest message, s", ofQueues("ApproximateAgeOfOldestMessage", "Maximum")),
      );
      dashboard.addWidgets(
        graph(
          "Dead letters",
          ofQueues(
            "ApproximateNumberOfMessagesVisible",
            "Maximum",
            deadLetterQueues()
              .filter(({ queue }) => queues.includes(queue))
              .map(({ deadLetterQueue }) => deadLetterQueue),
          ),
        ),
        graph("Messages in flight", ofQueues("ApproximateNumberOfMessagesNotVisible", "Maximum")),
      );
    }
    dashboard.addWidgets(
      graph("Invocations", ofFunctions("Invocations", "Sum")),
      graph("Errors", ofFunctions("Errors", "Sum")),
    );
    dashboard.addWidgets(
      graph("Duration, 95 %, ms", ofFunctions("Duration", "p95")),
      graph("Throttles", ofFunctions("Throttles", "Sum")),
    );
    dashboard.addWidgets(
      new LogQueryWidget({
        title: "Latest errors",
        logGroupNames: functions.map(logGroupName),
        view: LogQueryVisualizationType.TABLE,
        queryLines: [
          "fields @timestamp, @log, message, error, detail, sourceId, runId, host",
          'filter level = "error"',
          "sort @timestamp desc",
          "limit 50",
        ],
        width: 24,
        height,
        region,
      }),
    );
  }
}

function metric(
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic: string,
): Metric {
  return new Metric({
    namespace,
    metricName,
    dimensionsMap,
    statistic,
    period,
    label: Object.values(dimensionsMap)[0] ?? "",
  });
}
