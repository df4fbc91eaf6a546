import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, Duration, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { EventBus } from "aws-cdk-lib/aws-events";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { RequestQueues } from "../../infra/constructs/request-queues.ts";
import { SourcePublishers } from "../../infra/constructs/source-publishers.ts";
import { WorkQueue } from "../../infra/constructs/work-queue.ts";
import { setNamePrefix } from "../../infra/name-prefix.ts";
import { deploymentSettings } from "../../infra/settings.ts";
import { MailStack } from "../../infra/stacks/mail.ts";
import { StorageStack } from "../../infra/stacks/storage.ts";
import {
  appliesToPrincipal,
  assertSupported,
  evaluate,
  type Statement,
} from "../../local/cloud/iam/policy.ts";
import { root } from "./templates.ts";

let context: Record<string, unknown> = {};
beforeAll(() => {
  context = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8")).context;
});

const appWith = (settings: Record<string, unknown>) => new App({ context: { ...context, ...settings } });

describe("a setting of the deployment", () => {
  it.each([
    ["ingather:senderIdentity", "adress"],
    ["ingather:deletionProtection", "yes"],
    ["ingather:checkSetAudience", "all"],
    ["ingather:consoleUrl", "console"],
    ["ingather:harvestMailbox", "contents"],
    ["ingather:sourcePublishers", "catalogue"],
    ["ingather:corsOrigins", "https://a.example/pages"],
    ["ingather:corsOrigins", "https://*.a.example"],
    ["ingather:corsOrigins", "ftp://a.example"],
    ["ingather:folderBuckets", "s3://theses"],
    ["ingather:dashboards", "yes"],
    ["ingather:queueAgeAlarms", "yes"],
    ["ingather:requestQueues", "0"],
    ["ingather:requestQueues", "33"],
    ["ingather:requestQueues", "two"],
    ["ingather:requestQueues", "1.5"],
    ["ingather:gateInvocations", "1"],
    ["ingather:gateInvocations", "1001"],
    ["ingather:gateInvocations", "-3"],
    ["ingather:gateInvocations", ""],
    ["ingather:vpcSubnets", "vpc-0a1b2c3d"],
    ["ingather:mailFrom", "ingather"],
    ["ingather:timeZone", "Europe/Berlim"],
    ["ingather:timeZone", "+01:00"],
    ["ingather:mailTo", "anna@library.example, bert"],
    ["ingather:mailTo", ","],
    ["ingather:probeUrls", "https://a.example/,ftp://b.example/"],
    ["ingather:runbookUrl", "docs/runbook.md"],
    ["ingather:userAgent", "Ingäther"],
    ["ingather:mailform", "ingather@library.example"],
  ])("%s: %j → refused, naming both", (name, value) => {
    expect(() => deploymentSettings(appWith({ [name]: value }).node)).toThrow(`${name}: "${value}" `);
  });

  it.each([
    ["requestQueues", 8],
    ["maxArticlesOfHarvest", 1000],
    ["gateInvocations", 2],
    ["gateInvocations", 1000],
  ] as const)("%s that is not text, as JSON suggests → taken: %d", (name, value) => {
    expect(deploymentSettings(appWith({ [`ingather:${name}`]: value }).node)[name]).toBe(value);
  });

  it("lists → their parts, without blanks", () => {
    const settings = { "ingather:mailTo": "a@x.example, b@x.example,", "ingather:corsOrigins": "" };
    expect(deploymentSettings(appWith(settings).node)).toMatchObject({
      mailTo: ["a@x.example", "b@x.example"],
      corsOrigins: [],
    });
  });

  it("absent → refused, as a misspelt one would have no effect", () => {
    const { "ingather:harvestMailbox": _mailbox, ...others } = context;
    expect(() => deploymentSettings(new App({ context: others }).node)).toThrow("harvestMailbox is missing");
  });
});

it("subnets without security groups → refused", () => {
  const app = appWith({ "ingather:vpcSubnets": "subnet-0a1b2c3d4e5f60718" });
  expect(() => deploymentSettings(app.node)).toThrow("ingather:vpcSecurityGroups: set both, or none");
});

describe("what SES has of ours", () => {
  it.each([
    ["address", "contents@in.library.example", { identity: "ingather@library.example", rules: 1 }],
    ["domain", "", { identity: "library.example", rules: 0 }],
    ["existing", "contents@in.library.example", { identity: undefined, rules: 1 }],
    ["none", "contents@in.library.example", { identity: undefined, rules: 1 }],
  ])("identity %s, mailbox %j → %j", (senderIdentity, harvestMailbox, { identity, rules }) => {
    const app = appWith({
      "ingather:senderIdentity": senderIdentity,
      "ingather:harvestMailbox": harvestMailbox,
    });
    const storage = new StorageStack(app, "storage", {});
    const template = Template.fromStack(new MailStack(app, "mail", { storage }));
    const identities = Object.values(template.findResources("AWS::SES::EmailIdentity"));
    expect(identities[0]?.Properties.EmailIdentity).toBe(identity);
    expect(Object.keys(template.findResources("AWS::SES::ReceiptRule"))).toHaveLength(rules);
  });
});

it("an account that has the sender, and wants no mailbox → nothing", () => {
  const app = appWith({ "ingather:senderIdentity": "existing", "ingather:harvestMailbox": "" });
  const storage = new StorageStack(app, "storage", {});
  expect(new MailStack(app, "mail", { storage }).node.children).toEqual([]);
});

it.each([
  ["off", 0],
  ["on", 1],
])(
  "alarms on the age of messages are %s → %d for a queue, with its entry in the runbook",
  (setting, count) => {
    const stack = new Stack(appWith({ "ingather:queueAgeAlarms": setting }), "stack");
    new WorkQueue(stack, "Validate", {
      name: "validate",
      readerTimeout: Duration.minutes(10),
      deadLetterSummary: "It stopped.",
      runbook: "delivery-stopped",
    });
    const alarms = Object.values(Template.fromStack(stack).findResources("AWS::CloudWatch::Alarm"));
    const ofAge = alarms.filter(({ Properties }) => /messages-wait$/.test(Properties.AlarmDescription));
    expect(ofAge).toHaveLength(count);
    for (const { Properties } of ofAge) {
      expect(Properties).toMatchObject({ MetricName: "ApproximateAgeOfOldestMessage", Threshold: 7200 });
    }
    expect(readFileSync(join(root, "docs/runbook.md"), "utf8")).toContain("\n## messages-wait\n");
  },
);

it("32 queues of requests → alarms of at most ten metrics, which is the limit, that together watch each queue", () => {
  const stack = new Stack(appWith({}), "stack");
  const queue = (number: number) =>
    new WorkQueue(stack, `Requests${number}`, {
      name: "requests",
      number,
      readerTimeout: Duration.minutes(1),
      deadLetterQueueName: `dead-${number}.fifo`,
      deadLetterSummary: "They could not be sent.",
      runbook: "requests-dead-letters",
    });
  const others = Array.from({ length: 31 }, (_, index) => queue(index + 1));
  const queues = new RequestQueues([queue(0), ...others]);
  const alarms = queues.mostInFlight({ period: Duration.minutes(5) });
  const watched = alarms.map((metric) =>
    Object.values(metric.toMetricConfig().mathExpression?.usingMetrics ?? {}),
  );
  expect(watched.map(({ length }) => length)).toEqual([10, 10, 10, 2]);
  const names = watched.flat().map((metric) => JSON.stringify(stack.resolve(metric.toMetricConfig())));
  expect(new Set(names).size).toBe(32);
});

describe("an event on the bus", () => {
  const catalogue = "arn:aws:iam::123456789012:role/catalogue";
  const other = "arn:aws:iam::123456789012:role/other";
  const allowed = { Effect: "Allow" as const, Action: "events:*", Resource: "*" };
  it.each<[string, string, string, string[], string]>([
    ["source.new", "ingather", other, [], "allow"],
    ["source.new", "catalogue.example", other, [], "explicit-deny"],
    ["source.deleted", "catalogue.example", other, [catalogue], "explicit-deny"],
    ["source.opened", "catalogue.example", catalogue, [catalogue], "allow"],
    ["loan.new", "catalogue.example", other, [], "allow"],
  ])("%s by %s, %s; publishers %j → %s", (type, by, principal, publishers, decision) => {
    const stack = new Stack(new App());
    new SourcePublishers(stack, "P", { bus: new EventBus(stack, "Bus"), publishers });
    const policies = Template.fromStack(stack).findResources("AWS::Events::EventBusPolicy");
    const statements = Object.values(policies).map(({ Properties }): Statement => {
      const statement = { ...Properties.Statement, Resource: "bus" };
      assertSupported([statement], "bus");
      return statement;
    });
    const context = { "events:source": by, "events:detail-type": type, "aws:principalarn": principal };
    const request = { action: "events:PutEvents", resource: "bus", context };
    const applying = statements.filter((statement) => appliesToPrincipal(statement, "AWS", principal));
    expect(evaluate([allowed, ...applying], request)).toBe(decision);
  });
});

describe("the prefix of names", () => {
  afterEach(() => {
    delete process.env.INGATHER_PREFIX;
    vi.resetModules();
  });

  it("begins the names of stacks, tables, functions, buckets and secrets", async () => {
    setNamePrefix(JSON.stringify({ "ingather:prefix": "ingathertesting" }));
    vi.resetModules();
    const names = await import("../../shared/names.ts");
    expect(names.stackNames.storage).toBe("ingathertesting-storage");
    expect(names.tableNames.runs).toBe("ingathertesting-runs");
    expect(names.functionNames.readArticle).toBe("ingathertesting-read-article");
    expect(names.secretNames.sftpLogin("g")).toBe("ingathertesting/sftp/g");
    const longest = Object.values(names.bucketNames).map((name) => name("123456789012", "ap-northeast-1"));
    expect(longest.filter((name) => name.length > 63)).toEqual([]);
  });

  it.each(["I", "9a", "a_b", "-a", "ingather-test", "xn--a", "a".repeat(16), 7, ""])(
    "%j → refused, with its value",
    (prefix) => {
      expect(() => setNamePrefix(JSON.stringify({ "ingather:prefix": prefix }))).toThrow(
        `ingather:prefix: ${JSON.stringify(prefix)} must be 2 to 15`,
      );
    },
  );

  it.each(["aws", "my4aws", "cognito", "amazonas"])("%j, which Cognito reserves → refused", (prefix) => {
    expect(() => setNamePrefix(JSON.stringify({ "ingather:prefix": prefix }))).toThrow(
      `ingather:prefix: ${JSON.stringify(prefix)} must not contain`,
    );
  });
});
