import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { expect, it } from "vitest";
import { MonitoringStack } from "../../infra/stacks/monitoring.ts";
import { deadLetterQueues, functionNames, queueNames } from "../../shared/names.ts";
import { root } from "./templates.ts";

const { context } = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8"));

function monitoring(dashboards: "on" | "off", settings: Record<string, string> = {}) {
  const app = new App({ context: { ...context, ...settings, "ingather:dashboards": dashboards } });
  const template = Template.fromStack(new MonitoringStack(app, "monitoring", {}));
  const ofType = (type: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties);
  return { dashboards: ofType("AWS::CloudWatch::Dashboard"), queries: ofType("AWS::Logs::QueryDefinition") };
}

it("dashboards are on → one per capability, which together show each function, queue and dead-letter queue once", () => {
  const { dashboards } = monitoring("on");
  expect(dashboards.map(({ DashboardName }) => DashboardName)).toEqual([
    "ingather-harvest",
    "ingather-links",
    "ingather-snapshots",
    "ingather-sets",
    "ingather-api",
  ]);
  const shown = dashboards.flatMap((dashboard) => [
    ...new Set(
      [...JSON.stringify(dashboard).matchAll(/(?:FunctionName|QueueName)\W+([\w.-]+)/g)].map(
        ([, name]) => name,
      ),
    ),
  ]);
  const dead = deadLetterQueues().map(({ deadLetterQueue }) => deadLetterQueue);
  expect(shown.sort()).toEqual(
    [...new Set([...Object.values(functionNames), ...Object.values(queueNames), ...dead])].sort(),
  );
});

it("several queues of requests → the dashboard of the harvest shows each", () => {
  const { dashboards } = monitoring("on", { "ingather:requestQueues": "3" });
  for (const name of ["requests", "requests-1", "requests-2"])
    expect(JSON.stringify(dashboards[0])).toContain(`ingather-${name}.fifo`);
});

it("dashboards are off → none; the saved queries are there, each over at most 50 logs, which is the limit", () => {
  const { dashboards, queries } = monitoring("off");
  expect(dashboards).toEqual([]);
  expect(queries.length).toBeGreaterThan(5);
  for (const { LogGroupNames } of queries) {
    const without = Object.values(functionNames).filter(
      (name) => !LogGroupNames.includes(`/aws/lambda/${name}`),
    );
    expect(without).toEqual([functionNames.describeApi]);
    expect(LogGroupNames.length).toBeLessThanOrEqual(50);
  }
});
