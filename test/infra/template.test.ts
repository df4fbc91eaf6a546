import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { functionFiles } from "../../infra/bundle.ts";
import { resourceTypes } from "../../local/cloud/cloudformation/resources.ts";
import { functionNames, loggedFaults, variables } from "../../shared/names.ts";
import { messageMaxAgeMs } from "../../shared/web/gate/gate.ts";
import { type Resource, root, templates } from "./templates.ts";

let resources: [id: string, Resource][] = [];

beforeAll(async () => {
  resources = (await templates()).resources;
});

function ofType(type: string): [id: string, Resource["Properties"]][] {
  return resources.filter(([, { Type }]) => Type === type).map(([id, { Properties }]) => [id, Properties]);
}

/** Whether a property refers to a resource, within its stack. */
function refersTo(value: unknown, id: string): boolean {
  return JSON.stringify(value).includes(`"${id}"`);
}

describe("queues", () => {
  const isDead = (name: string) => name.includes("-dead");

  it("each has a dead-letter queue, and that has an alarm", () => {
    const queues = ofType("AWS::SQS::Queue");
    const alarms = ofType("AWS::CloudWatch::Alarm");
    const working = queues.filter(([, { QueueName }]) => !isDead(QueueName));
    expect(working.length).toBeGreaterThan(5);
    for (const [, { QueueName, RedrivePolicy }] of working) {
      const dead = queues.find(([id]) => RedrivePolicy !== undefined && refersTo(RedrivePolicy, id));
      expect(dead?.[1].QueueName, QueueName).toMatch(/-dead/);
      const watched = alarms.some(([, { Metrics = [] }]) => refersTo(Metrics, dead?.[0] ?? "?"));
      expect(watched, `alarm on ${dead?.[1].QueueName}`).toBe(true);
    }
  });

  it("an hour in which Lambda is throttled leaves a message three tries", () => {
    for (const [, { QueueName, VisibilityTimeout, RedrivePolicy }] of ofType("AWS::SQS::Queue")) {
      if (isDead(QueueName)) continue;
      // Lambda retries a throttled batch until the message is visible again, and then receives it again.
      const whileThrottled = Math.floor(3600 / VisibilityTimeout) + 1;
      expect(RedrivePolicy.maxReceiveCount, QueueName).toBeGreaterThanOrEqual(3 + whileThrottled);
    }
  });

  it("a message stays hidden at least six times as long as its reader may take", () => {
    const mappings = ofType("AWS::Lambda::EventSourceMapping");
    expect(mappings.length).toBeGreaterThan(5);
    for (const [, { EventSourceArn, FunctionName, FunctionResponseTypes }] of mappings) {
      expect(FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
      const queue = ofType("AWS::SQS::Queue").find(
        ([id]) => refersTo(EventSourceArn, id) || JSON.stringify(EventSourceArn).includes(id),
      );
      const reader = ofType("AWS::Lambda::Function").find(([id]) => refersTo(FunctionName, id));
      // Six times, as throttling uses up receives. Where there are a thousand, it is the time until a dead letter that counts.
      const times = queue?.[1].RedrivePolicy.maxReceiveCount < 1000 ? 6 : 3;
      expect(queue?.[1].VisibilityTimeout, queue?.[1].QueueName).toBeGreaterThanOrEqual(
        times * reader?.[1].Timeout,
      );
    }
  });

  it("a message whose reader always dies → a dead letter two days before SQS deletes it, at the least", () => {
    const queues = ofType("AWS::SQS::Queue");
    for (const [, queue] of queues.filter(([, { QueueName }]) => !isDead(QueueName))) {
      const { QueueName, VisibilityTimeout, RedrivePolicy, MessageRetentionPeriod, DelaySeconds = 0 } = queue;
      const untilDeadSeconds = DelaySeconds + RedrivePolicy.maxReceiveCount * VisibilityTimeout;
      expect(MessageRetentionPeriod - untilDeadSeconds, QueueName).toBeGreaterThanOrEqual(2 * 86_400);
      // A standard queue's dead letters keep the time at which they were sent: operators have a week for them.
      const dead = queues.find(([id]) => refersTo(RedrivePolicy, id))?.[1];
      const sinceSeconds = QueueName.endsWith(".fifo") ? 0 : untilDeadSeconds;
      expect(dead?.MessageRetentionPeriod - sinceSeconds, QueueName).toBeGreaterThan(7 * 86_400);
    }
  });

  it("a request that waits again and again → rejected by the gate two days before SQS deletes it, less 12 hours", () => {
    const longestHiddenMs = 12 * 3_600_000;
    const retentionMs =
      1000 * Math.min(...ofType("AWS::SQS::Queue").map(([, each]) => each.MessageRetentionPeriod));
    expect(messageMaxAgeMs + longestHiddenMs).toBeLessThanOrEqual(retentionMs - 36 * 3_600_000);
  });
});

describe("alarms", () => {
  it("may publish to their topic", () => {
    const statements = ofType("AWS::SNS::TopicPolicy").flatMap(
      ([, { PolicyDocument }]) => PolicyDocument.Statement,
    );
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: "Allow",
        Action: "sns:Publish",
        Principal: { Service: ["cloudwatch.amazonaws.com", "ses.amazonaws.com"] },
      }),
    );
  });

  it("each links to an entry of the runbook that exists", () => {
    const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8");
    for (const [id, { AlarmDescription }] of ofType("AWS::CloudWatch::Alarm")) {
      const anchor = /runbook\.md#([\w-]+)$/.exec(AlarmDescription)?.[1];
      expect(anchor, id).toBeDefined();
      expect(runbook).toContain(`\n## ${anchor}\n`);
    }
  });

  it("each entry names the functions whose failures raise its alarm: their logs say why", () => {
    const runbook = readFileSync(join(root, "docs/runbook.md"), "utf8");
    const named = ofType("AWS::Lambda::Function");
    const queues = ofType("AWS::SQS::Queue");
    /**
     * The functions that an alarm is about: its metric's, or the readers of the queues whose dead letters it counts.
     */
    const functionsOf = (alarm: Resource["Properties"]) =>
      named.filter(([functionId, { FunctionName }]) => {
        const { Dimensions = [] } = alarm;
        if (refersTo(Dimensions, functionId) || refersTo(Dimensions, FunctionName)) return true;
        const read = ofType("AWS::Lambda::EventSourceMapping").filter(([, { FunctionName }]) =>
          refersTo(FunctionName, functionId),
        );
        return read.some(([, { EventSourceArn }]) => {
          const queue = queues.find(([id]) => JSON.stringify(EventSourceArn).includes(id));
          return queues.some(
            ([id]) => refersTo(queue?.[1].RedrivePolicy ?? [], id) && refersTo(alarm.Metrics ?? [], id),
          );
        });
      });
    const missing = ofType("AWS::CloudWatch::Alarm").flatMap(([, alarm]) => {
      const anchor = alarm.AlarmDescription.split("#").at(-1);
      const [, entry = ""] = runbook.split(`\n## ${anchor}\n`);
      const [text = ""] = entry.split(/^#/m);
      return functionsOf(alarm).flatMap(([, { FunctionName }]) =>
        text.includes(FunctionName) ? [] : [`${anchor}: ${FunctionName}`],
      );
    });
    expect(missing).toEqual([]);
  });

  /** The alarms on a metric, with its dimensions. */
  const alarmsOn = (namespace: string, metric: string) =>
    ofType("AWS::CloudWatch::Alarm")
      .map(([, properties]) => properties)
      .filter(({ Namespace, MetricName }) => Namespace === namespace && MetricName === metric);

  it("the errors of each function raise one whose messages may be received a hundred times: no dead letter shows them", () => {
    const patient = ofType("AWS::SQS::Queue").filter(
      ([, { RedrivePolicy }]) => RedrivePolicy?.maxReceiveCount >= 100,
    );
    const readers = ofType("AWS::Lambda::EventSourceMapping")
      .filter(([, { EventSourceArn }]) => patient.some(([id]) => refersTo(EventSourceArn, id)))
      .map(([, { FunctionName }]) =>
        ofType("AWS::Lambda::Function").find(([id]) => refersTo(FunctionName, id)),
      );
    expect(readers.length).toBeGreaterThan(1);
    const watched = alarmsOn("AWS/Lambda", "Errors").flatMap(({ Dimensions }) => Dimensions);
    for (const reader of readers)
      expect(watched).toContainEqual({ Name: "FunctionName", Value: reader?.[1].FunctionName });
  });

  it("the age of requests raises one, whatever the settings are", () => {
    const [id] =
      ofType("AWS::SQS::Queue").find(([, each]) => each.QueueName === "ingather-requests.fifo") ?? [];
    const ages = alarmsOn("AWS/SQS", "ApproximateAgeOfOldestMessage");
    expect(ages).toMatchObject([
      { Threshold: 2 * 86_400, ComparisonOperator: "GreaterThanOrEqualToThreshold" },
    ]);
    expect(refersTo(ages[0]?.Dimensions, id ?? "?")).toBe(true);
  });

  it("a chain that Lambda stops raises one, of whatever function", () => {
    const [alarm, ...others] = alarmsOn("AWS/Lambda", "RecursiveInvocationsDropped");
    expect(alarm).toMatchObject({ Threshold: 1, Statistic: "Sum", TreatMissingData: "notBreaching" });
    expect([alarm?.Dimensions, others]).toEqual([undefined, []]);
  });

  const filtersOf = (fault: string) =>
    ofType("AWS::Logs::MetricFilter").flatMap(([, each]) =>
      each.FilterPattern === `"${fault}"` ? [each] : [],
    );

  it("a message that a function quarantines raises one, whatever queue it has come from", () => {
    const filters = filtersOf(loggedFaults.messageFailed);
    const readers = ofType("AWS::Lambda::EventSourceMapping").filter(
      ([, { FunctionName }]) =>
        !/SendRequests|AdmitRequests|ValidateRecords|UploadRecords|ArchiveRecords|FindOverdue|SendReport/.test(
          JSON.stringify(FunctionName),
        ),
    );
    expect(filters).toHaveLength(readers.length);
    for (const { MetricTransformations: [{ MetricNamespace, MetricName } = {} as never] = [] } of filters)
      expect(alarmsOn(MetricNamespace, MetricName)).toMatchObject([{ Threshold: 1, Statistic: "Sum" }]);
  });

  it("what the report logs of a run that has delivered nothing raises one", () => {
    const [filter] = filtersOf(loggedFaults.nothingDelivered);
    expect(filter).toMatchObject({ LogGroupName: "/aws/lambda/ingather-send-report" });
    const [{ MetricNamespace, MetricName } = {} as never] = filter?.MetricTransformations ?? [];
    expect(alarmsOn(MetricNamespace, MetricName)).toMatchObject([{ Threshold: 1, Statistic: "Sum" }]);
  });

  it("a day without a report → raised when it ends, in the time zone of the delivery, and not by yesterday's", () => {
    const ofReports = ofType("AWS::CloudWatch::Alarm").filter(([, { EvaluationWindow }]) => EvaluationWindow);
    expect(ofReports).toHaveLength(1);
    const { Metrics, ...alarm } = ofReports[0]?.[1] ?? {};
    expect(alarm).toMatchObject({
      EvaluationWindow: { WallClockWindow: { Timezone: "Europe/Berlin" } },
      ComparisonOperator: "LessThanThreshold",
      Threshold: 1,
      EvaluationPeriods: 1,
      TreatMissingData: "breaching",
    });
    expect(Metrics).toMatchObject([
      { Expression: "FILL(reports, 0)" },
      { Id: "reports", MetricStat: { Metric: { MetricName: "Invocations" }, Period: 86_400 } },
    ]);
    const daily = ofType("AWS::Scheduler::Schedule").find(([, { Name }]) => Name === "ingather-daily-live");
    expect(daily?.[1].ScheduleExpressionTimezone).toBe("Europe/Berlin");
  });
});

describe("asynchronous invocations", () => {
  it("what is retried, and fails or is dropped → is with the dead letters of the schedules", () => {
    const configs = ofType("AWS::Lambda::EventInvokeConfig").map(([, properties]) => properties);
    const retried = configs.filter(({ MaximumRetryAttempts }) => MaximumRetryAttempts > 0);
    expect(retried.length).toBeGreaterThan(2);
    for (const { DestinationConfig, FunctionName } of retried) {
      const destination = JSON.stringify(DestinationConfig?.OnFailure?.Destination);
      expect(destination, JSON.stringify(FunctionName)).toContain("ScheduleDeadLetters");
    }
  });
});

describe("mails", () => {
  it("bounces, complaints and rejections → told to those who get alarms; SES sends no more to the address", () => {
    const [[id = "", set] = []] = ofType("AWS::SES::ConfigurationSet");
    expect(set?.SuppressionOptions.SuppressedReasons.toSorted()).toEqual(["BOUNCE", "COMPLAINT"]);
    const [[, { EventDestination: destination } = {} as never] = []] = ofType(
      "AWS::SES::ConfigurationSetEventDestination",
    );
    expect(destination.MatchingEventTypes.toSorted()).toEqual(["bounce", "complaint", "reject"]);
    expect(JSON.stringify(destination.SnsDestination.TopicARN)).toContain("ingather-alarms");
    const [[, identity] = []] = ofType("AWS::SES::EmailIdentity");
    expect(refersTo(identity?.ConfigurationSetAttributes, id)).toBe(true);
  });
});

describe("functions", () => {
  it("each file is deployed once, under its name in names.ts", () => {
    const deployed = ofType("AWS::Lambda::Function").map(([, { FunctionName }]) => FunctionName);
    expect(deployed.sort()).toEqual(Object.values(functionNames).sort());
    expect(deployed.sort()).toEqual([...functionFiles().keys()].map((name) => `ingather-${name}`).sort());
  });

  it("each is a file of the one package", () => {
    const functions = ofType("AWS::Lambda::Function").map(([, properties]) => properties);
    for (const { FunctionName, Handler } of functions)
      expect(`ingather-${Handler}`).toBe(`${FunctionName}.handler`);
    expect(new Set(functions.map(({ Code }) => Code.S3Key)).size).toBe(1);
  });

  it("each runs on Node 24, arm64, in a role that no other has", () => {
    const roles = ofType("AWS::Lambda::Function").map(([, { Runtime, Architectures, Role }]) => {
      expect(Runtime).toBe("nodejs24.x");
      expect(Architectures).toEqual(["arm64"]);
      return JSON.stringify(Role);
    });
    expect(new Set(roles).size).toBe(roles.length);
  });

  it("the stages of a delivery have a whole processor, as the machines on which their times were measured", () => {
    const { validateRecords, uploadRecords, archiveRecords, findOverdue, sendReport } = functionNames;
    for (const name of [validateRecords, uploadRecords, archiveRecords, findOverdue, sendReport]) {
      const stage = ofType("AWS::Lambda::Function").find(([, { FunctionName }]) => FunctionName === name);
      expect(stage?.[1].MemorySize, name).toBe(1769);
    }
  });

  it("each has only the variables that names.ts lists", () => {
    const known = new Set<string>([
      ...Object.values(variables),
      "NODE_OPTIONS",
      "AWS_NODEJS_CONNECTION_REUSE_ENABLED",
    ]);
    for (const [id, { Environment }] of ofType("AWS::Lambda::Function")) {
      const unknown = Object.keys(Environment.Variables).filter((name) => !known.has(name));
      expect(unknown, id).toEqual([]);
    }
  });

  it("no policy allows all actions or all resources", () => {
    for (const [id, { PolicyDocument }] of [
      ...ofType("AWS::IAM::Policy"),
      ...ofType("AWS::IAM::ManagedPolicy"),
    ]) {
      for (const { Action, Resource } of PolicyDocument.Statement) {
        expect(
          [Action].flat().filter((action: string) => action.includes("*")),
          id,
        ).toEqual([]);
        expect([Resource].flat(), id).not.toContain("*");
      }
    }
  });
});

describe("the HTTP API", () => {
  it("has at most 300 routes, the quota of an API, and each function's policy fits", () => {
    expect(ofType("AWS::ApiGatewayV2::Route").length).toBeLessThan(300);
    const permissions = ofType("AWS::Lambda::Permission").filter(
      ([, { Principal }]) => Principal === "apigateway.amazonaws.com",
    );
    // A statement has about 500 bytes; a policy holds 20 KB.
    const perFunction = Map.groupBy(permissions, ([, { FunctionName }]) => JSON.stringify(FunctionName));
    for (const [name, statements] of perFunction) expect(statements.length, name).toBeLessThan(40);
  });
});

describe("what is kept", () => {
  it("tables can be restored to any point in time", () => {
    const tables = ofType("AWS::DynamoDB::GlobalTable");
    expect(tables.length).toBeGreaterThan(5);
    for (const [id, { Replicas }] of tables) {
      for (const replica of Replicas) {
        expect(replica.PointInTimeRecoverySpecification, id).toEqual({ PointInTimeRecoveryEnabled: true });
      }
    }
  });

  it("tables, buckets and users stay when a deployment takes them out; all goes when its first deployment fails", () => {
    const stateful = new Set(["AWS::DynamoDB::GlobalTable", "AWS::S3::Bucket", "AWS::Cognito::UserPool"]);
    for (const [id, { Type, DeletionPolicy = "Delete" }] of resources) {
      expect(DeletionPolicy, id).toBe(stateful.has(Type) ? "RetainExceptOnCreate" : "Delete");
    }
    for (const type of stateful) expect(ofType(type).length, type).toBeGreaterThan(0);
  });

  it("nothing of a bucket is kept forever but what is current", () => {
    for (const [id, { VersioningConfiguration, LifecycleConfiguration }] of ofType("AWS::S3::Bucket")) {
      const [rule] = LifecycleConfiguration.Rules;
      const isVersioned = VersioningConfiguration?.Status === "Enabled";
      expect(rule, id).toHaveProperty(isVersioned ? "NoncurrentVersionExpiration" : "ExpirationInDays");
    }
  });

  it("what the stages of a run leave goes after a year, as its items do", () => {
    const rules = ofType("AWS::S3::Bucket").flatMap(
      ([, { LifecycleConfiguration }]) => LifecycleConfiguration.Rules,
    );
    for (const Prefix of ["runs/", "delinquent/"])
      expect(rules).toContainEqual({ Prefix, ExpirationInDays: 365, Status: "Enabled" });
  });

  it("buckets are private", () => {
    for (const [id, { PublicAccessBlockConfiguration }] of ofType("AWS::S3::Bucket")) {
      expect(Object.values(PublicAccessBlockConfiguration), id).toEqual([true, true, true, true]);
    }
  });
});

describe("the API", () => {
  it("limits each public route apart from the routes for operators", () => {
    const { RouteSettings = {}, DefaultRouteSettings = {} } =
      ofType("AWS::ApiGatewayV2::Stage")[0]?.[1] ?? {};
    const open = ofType("AWS::ApiGatewayV2::Route").filter(
      ([, { AuthorizationType }]) => AuthorizationType !== "JWT",
    );
    expect(Object.keys(RouteSettings).sort()).toEqual(open.map(([, { RouteKey }]) => RouteKey).sort());
    for (const { ThrottlingRateLimit } of Object.values<Record<string, number>>(RouteSettings)) {
      expect(ThrottlingRateLimit).toBeLessThan(DefaultRouteSettings.ThrottlingRateLimit);
    }
    // The quota of an account in the regions that have the least.
    expect(DefaultRouteSettings.ThrottlingRateLimit).toBeLessThan(2500);
    expect(DefaultRouteSettings.ThrottlingBurstLimit).toBeLessThan(1250);
  });

  it("asks for a token on all routes but those for everybody, and the console's, which have a session", () => {
    const open = ofType("AWS::ApiGatewayV2::Route").filter(
      ([, { AuthorizationType }]) => AuthorizationType !== "JWT",
    );
    const keys: string[] = open.map(([, { RouteKey }]) => RouteKey);
    expect(keys.filter((key) => !key.startsWith("HEAD ")).sort()).toEqual([
      "$default",
      "GET /console",
      "GET /console/{proxy+}",
      "GET /health",
      "GET /oai",
      "GET /openapi.json",
      "GET /records",
      "GET /records/{id}",
      "GET /records/{id}/source",
      "GET /reference",
      "GET /suppressed-collections",
      "POST /console",
      "POST /console/{proxy+}",
      "POST /oai",
    ]);
  });
});

describe("schedules", () => {
  it.each([
    ["ingather-sweep-collections", "rate(2 hours)", "Etc/UTC"],
    ["ingather-sample-links", "cron(0 3 * * ? *)", "Europe/Berlin"],
    ["ingather-report-links", "cron(0 6 * * ? *)", "Europe/Berlin"],
  ])("%s runs by %s (%s)", (name, expression, timeZone) => {
    const found = ofType("AWS::Scheduler::Schedule").find(([, { Name }]) => Name === name)?.[1];
    expect([found?.ScheduleExpression, found?.ScheduleExpressionTimezone ?? "Etc/UTC"]).toEqual([
      expression,
      timeZone,
    ]);
  });

  it("each puts aside what it cannot deliver, where an alarm sees it; functions make theirs alike", () => {
    const [id = ""] =
      ofType("AWS::SQS::Queue").find(([, { QueueName }]) => QueueName === "ingather-schedules-dead") ?? [];
    const alarms = ofType("AWS::CloudWatch::Alarm");
    expect(alarms.filter(([, { Metrics = [] }]) => refersTo(Metrics, id))).toHaveLength(1);
    const schedules = ofType("AWS::Scheduler::Schedule");
    expect(schedules.length).toBeGreaterThan(5);
    for (const [, { Name, Target }] of schedules) {
      expect(JSON.stringify(Target.DeadLetterConfig), Name).toContain(id);
    }
    const makers = ofType("AWS::Lambda::Function")
      .map(([, { Environment }]) => Environment.Variables)
      .filter((given) => "SCHEDULE_GROUP" in given);
    expect(makers).toHaveLength(2);
    for (const given of makers) expect(JSON.stringify(given.SCHEDULE_DEAD_LETTER_QUEUE_ARN)).toContain(id);
  });

  it("each acts for this account alone, and may send to the dead-letter queue what it cannot deliver", () => {
    const roles = ofType("AWS::IAM::Role").filter(([, { AssumeRolePolicyDocument }]) =>
      JSON.stringify(AssumeRolePolicyDocument).includes("scheduler.amazonaws.com"),
    );
    expect(roles.length).toBeGreaterThan(5);
    for (const [id, { AssumeRolePolicyDocument }] of roles) {
      const condition = { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } };
      for (const { Condition } of AssumeRolePolicyDocument.Statement)
        expect(Condition, id).toEqual(condition);
      const policy = ofType("AWS::IAM::Policy").find(([, { Roles }]) => refersTo(Roles, id))?.[1];
      expect(JSON.stringify(policy?.PolicyDocument), id).toMatch(/ScheduleDeadLetters/);
    }
  });

  it("further checks go straight into the line of their host", () => {
    const judge = ofType("AWS::Lambda::Function").find(
      ([, { FunctionName }]) => FunctionName === "ingather-judge-link",
    )?.[1];
    expect(JSON.stringify(judge?.Environment.Variables.REQUESTS_QUEUE_ARN)).toMatch(/Requests/);
    const requests = ofType("AWS::SQS::Queue").find(
      ([, { QueueName }]) => QueueName === "ingather-requests.fifo",
    );
    expect(requests?.[1].ContentBasedDeduplication).toBe(true);
  });

  it("the deliveries run at 20:00 in the configured time zone", () => {
    const daily = ofType("AWS::Scheduler::Schedule").filter(([, { Name }]) => /daily/.test(Name));
    expect(
      daily
        .map(([, { Name, ScheduleExpression, ScheduleExpressionTimezone }]) => [
          Name,
          ScheduleExpression,
          ScheduleExpressionTimezone,
        ])
        .sort(),
    ).toEqual([
      ["ingather-daily-live", "cron(0 20 * * ? *)", "Europe/Berlin"],
      ["ingather-daily-test", "cron(0 20 * * ? *)", "Europe/Berlin"],
    ]);
  });
});

describe("the local cloud", () => {
  it("knows each type of resource in the templates, and no other", () => {
    const used = new Set(resources.map(([, { Type }]) => Type));
    used.add("AWS::CloudWatch::Dashboard"); // with ingather:dashboards=on
    expect(Object.keys(resourceTypes).sort()).toEqual([...used].sort());
  });
});
