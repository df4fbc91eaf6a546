import { Stack } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, MetricFilter } from "aws-cdk-lib/aws-logs";
import { loggedFaults, prefix, tableNames, variables } from "../../shared/names.ts";

const metric = { namespace: prefix, metricName: "FailedMessages" };

/** Returns the metric of messages that functions have quarantined. */
export function failedMessagesMetric(): Metric {
  return new Metric({ ...metric, statistic: "Sum" });
}

/** Permits a function to quarantine messages that it cannot process, and counts them by its log. */
export function grantQuarantine(fn: LambdaFunction): void {
  const table = Stack.of(fn).formatArn({
    service: "dynamodb",
    resource: "table",
    resourceName: tableNames.failedMessages,
  });
  const actions = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"];
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [table] }));
  fn.addEnvironment(variables.failedMessagesTable, tableNames.failedMessages);
  new MetricFilter(fn, "FailedMessages", {
    logGroup: fn.logGroup,
    filterPattern: FilterPattern.literal(`"${loggedFaults.messageFailed}"`),
    metricNamespace: metric.namespace,
    metricName: metric.metricName,
  });
}
