import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { FilterPattern, LogGroup, MetricFilter, QueryDefinition, QueryString } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { functionNames, loggedFaults, prefix } from "../../shared/names.ts";
import { capabilities, functionsOf, queuesOf } from "../capabilities.ts";
import { CapabilityDashboard } from "../constructs/capability-dashboard.ts";
import { logGroupName } from "../constructs/deployed-function.ts";
import { failedMessagesMetric } from "../constructs/failed-messages.ts";
import { RunbookAlarm } from "../constructs/runbook-alarm.ts";
import { deploymentSettings } from "../settings.ts";

/**
 * Questions about the logs, as saved queries for operators. Operators replace the words in capitals.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_QuerySyntax.html
 */
const questions: { name: string; filter: string }[] = [
  { name: "why-a-source-failed", filter: 'sourceId = "SOURCE" and level != "info"' },
  { name: "what-failed-in-a-run", filter: 'runId = "RUN" and level != "info"' },
  { name: "what-failed-with-a-host", filter: 'host = "HOST" and level != "info"' },
  { name: "why-a-capture-failed", filter: 'jobId = 0 and level != "info"' },
  { name: "why-a-message-is-a-dead-letter", filter: 'messageId = "MESSAGE"' },
  { name: "what-failed-of-the-api", filter: "ispresent(path)" },
  { name: "latest-errors", filter: 'level = "error"' },
];

/**
 * The number of errors in an hour that raises the alarm. Some errors are normal, because an invocation fails
 * when all hosts that it serves fail.
 */
const maxErrors = 5;

/**
 * The monitoring for operators: saved queries on the logs, alarms for faults that cause no dead letter and,
 * if the deployment enables them, a dashboard per capability.
 */
export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.saveQueries();
    this.watchLoops();
    this.watchErrors();
    this.watchDeliveries();
    this.watchFailedMessages();
    const { dashboards, requestQueues } = deploymentSettings(this.node);
    if (dashboards === "off") return;
    for (const capability of capabilities) {
      new CapabilityDashboard(this, `Dashboard-${capability}`, {
        dashboardName: `${prefix}-${capability}`,
        functions: functionsOf(capability),
        queues: queuesOf(capability, requestQueues),
      });
    }
  }

  /**
   * Without a dimension, the metric covers all functions of the account in the region. A function that is
   * allowed to loop has no such metric.
   */
  private watchLoops(): void {
    new RunbookAlarm(this, "LoopStopped", {
      metric: lambdaMetric("RecursiveInvocationsDropped", { period: Duration.minutes(5) }),
      threshold: 1,
      summary: "Lambda has stopped a chain of messages that had passed a function 16 times.",
      runbook: "loop-stopped",
    });
  }

  /**
   * Watches the functions whose messages may be received a thousand times. Such messages are dead-lettered
   * only days after their function has begun to fail.
   */
  private watchErrors(): void {
    const period = Duration.hours(1);
    for (const [id, functionName, summary] of [
      ["GateFails", functionNames.sendRequests, "The gate fails, so hosts are not requested."],
      [
        "AdmissionFails",
        functionNames.admitRequests,
        "Link checks that readers cause do not reach the gate.",
      ],
    ] as const) {
      new RunbookAlarm(this, id, {
        metric: lambdaMetric("Errors", { period, functionName }),
        threshold: maxErrors,
        summary,
        runbook: "gate-fails",
      });
    }
  }

  private watchDeliveries(): void {
    const { sendReport } = functionNames;
    const filter = new MetricFilter(this, "NothingDeliveredFilter", {
      logGroup: LogGroup.fromLogGroupName(this, "ReportLog", logGroupName(sendReport)),
      filterPattern: FilterPattern.literal(`"${loggedFaults.nothingDelivered}"`),
      metricNamespace: prefix,
      metricName: "NothingDelivered",
    });
    new RunbookAlarm(this, "NothingDelivered", {
      metric: filter.metric({ statistic: "Sum", period: Duration.hours(1) }),
      threshold: 1,
      summary:
        "A run has delivered nothing although sources were due, because none of its requests succeeded.",
      runbook: "nothing-delivered",
    });
  }

  private watchFailedMessages(): void {
    new RunbookAlarm(this, "FailedMessages", {
      metric: failedMessagesMetric().with({ period: Duration.minutes(5) }),
      threshold: 1,
      summary: "A function could not process a message, and has quarantined it.",
      runbook: "failed-messages",
    });
  }

  private saveQueries(): void {
    // A query has at most 50 log groups. The function that is left out returns only a constant document.
    const { describeApi: _constant, ...queried } = functionNames;
    const logGroups = Object.values(queried).map((name) =>
      LogGroup.fromLogGroupName(this, `Log-${name}`, logGroupName(name)),
    );
    for (const { name, filter } of questions) {
      new QueryDefinition(this, `Query-${name}`, {
        queryDefinitionName: `${prefix}/${name}`,
        queryString: new QueryString({
          fields: [
            "@timestamp",
            "@log",
            "message",
            "error",
            "detail",
            "sourceId",
            "runId",
            "host",
            "@requestId",
          ],
          filterStatements: [filter],
          sort: "@timestamp desc",
          limit: 200,
        }),
        logGroups,
      });
    }
    new QueryDefinition(this, "Query-what-functions-take", {
      queryDefinitionName: `${prefix}/what-functions-take`,
      queryString: new QueryString({
        filterStatements: ['@type = "REPORT"'],
        statsStatements: [
          "count() as invocations, sum(@billedDuration) / 1000 as billedSeconds, pct(@duration, 95) as p95Ms, max(@maxMemoryUsed) / 1000000 as maxMB by @log",
        ],
        sort: "billedSeconds desc",
      }),
      logGroups,
    });
  }
}

function lambdaMetric(
  metricName: string,
  { period, functionName }: { period: Duration; functionName?: string },
): Metric {
  const dimensionsMap = functionName === undefined ? {} : { FunctionName: functionName };
  return new Metric({ namespace: "AWS/Lambda", metricName, dimensionsMap, statistic: "Sum", period });
}
