import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { maxGateInvocations } from "../../infra/settings.ts";
import { writeTemplates } from "../../infra/templates.ts";
import { partOfDay } from "../../shared/adapters/aws/day-parts.ts";
import { stackNames } from "../../shared/names.ts";
import { hostsPerInvocation } from "../../shared/web/gate/other-hosts.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Resource, root, templates } from "./templates.ts";

it("thirty invocations and two queues of requests → each queue starts thirty", async () => {
  const outdir = temporaryFolder();
  const { bundles } = await templates();
  const { context } = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8"));
  const settings = { ...context, "ingather:gateInvocations": "30", "ingather:requestQueues": "2" };
  await writeTemplates({ outdir, bundles, deployable: false, context: settings });
  const file = join(outdir, `${stackNames.requests}.template.json`);
  const { Resources } = JSON.parse(readFileSync(file, "utf8")) as { Resources: Record<string, Resource> };
  const started = Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::Lambda::EventSourceMapping")
    .filter(({ Properties }) => /"Requests1?Queue/.test(JSON.stringify(Properties.EventSourceArn)))
    .map(({ Properties }) => Properties.ScalingConfig.MaximumConcurrency);
  expect(started).toEqual([30, 30]);
});

it("as many hosts at once as the setting allows → no partition takes more than its 1,000 writes per second", () => {
  const hosts = maxGateInvocations * hostsPerInvocation;
  const writes = new Map<string, number>();
  for (let host = 0; host < hosts; host += 1) {
    const part = partOfDay("2026-11-20", `journal-${host}.example`);
    // The statistics of a host are written when it is left, after a delay of a second at the least.
    writes.set(part, (writes.get(part) ?? 0) + 1);
  }
  expect(Math.max(...writes.values())).toBeLessThanOrEqual(1000);
  expect(partOfDay("2026-11-20", "a.example")).toBe(partOfDay("2026-11-20", "a.example"));
});
