import { Stack, type StackProps } from "aws-cdk-lib";
import { LogGroup, QueryDefinition, QueryString } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { functionNames, prefix } from "../../shared/names.ts";
import { capabilities, functionsOf, queuesOf } from "../capabilities.ts";
import { CapabilityDashboard } from "../constructs/capability-dashboard.ts";
import { logGroupName } from "../constructs/deployed-function.ts";
import { deploymentSettings } from "../settings.ts";

/**
 * Questions that operators ask of the logs, as saved queries. Words in capitals are to be replaced.
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

/** What operators look at: saved queries on the logs and, where the deployment wants them, a dashboard per capability. */
export class MonitoringStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    this.saveQueries();
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

  private saveQueries(): void {
    const logGroups = Object.values(functionNames).map((name) =>
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
