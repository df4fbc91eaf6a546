import { describe, expect, test } from "vitest";
import { createResolver } from "../../../../local/cloud/cloudformation/resolver.ts";
import { stackOf, type Template } from "../../../../local/cloud/cloudformation/template.ts";

const location = {
  region: "eu-central-1",
  account: "000000000000",
  gatewayUrl: "http://127.0.0.1:1",
  apiUrl: "http://127.0.0.1:2",
};

const template: Template = {
  Parameters: { Mode: { Type: "String", Default: "live" }, Secret: { Type: "String" } },
  Resources: {
    Jobs: { Type: "AWS::SQS::Queue", Properties: { QueueName: "jobs" } },
    Unnamed: { Type: "AWS::SQS::Queue", Properties: { FifoQueue: true } },
    Table: { Type: "AWS::DynamoDB::GlobalTable", Properties: { TableName: "things" } },
    Bucket: {
      Type: "AWS::S3::Bucket",
      Properties: { BucketName: { "Fn::Join": ["-", ["kept", { Ref: "AWS::Region" }]] } },
    },
    Pool: { Type: "AWS::Cognito::UserPool" },
  },
  Outputs: { Jobs: { Value: { "Fn::GetAtt": ["Jobs", "Arn"] } } },
};

/** The location of a name in Fn::Sub. */
function hole(name: string): string {
  return `\${${name}}`;
}

/** What a value in the properties of a topic of another stack resolves to. */
function resolved(value: unknown, parameters: Record<string, string> = {}): unknown {
  const probe = { Type: "AWS::SNS::Topic", Properties: { Value: value } };
  const stacks = [
    stackOf("first", { ...template, Resources: { ...template.Resources, Probe: probe } }),
    stackOf("second", {
      Resources: { Queue: { Type: "AWS::SQS::Queue", Properties: { QueueName: "others" } } },
      Outputs: { Other: { Value: { "Fn::GetAtt": ["Queue", "Arn"] } } },
    }),
  ];
  const topics = createResolver(stacks, { location, parameters }).resourcesOfType<{ Value: unknown }>(
    "AWS::SNS::Topic",
  );
  return topics.find(({ logicalId }) => logicalId === "Probe")?.properties.Value;
}

describe("an intrinsic function resolves", () => {
  test.each<[string, unknown, unknown]>([
    ["Ref of a queue → its address", { Ref: "Jobs" }, "http://127.0.0.1:1/000000000000/jobs"],
    ["Ref of a table → its name", { Ref: "Table" }, "things"],
    ["Ref of a parameter → its default", { Ref: "Mode" }, "live"],
    ["Ref of a parameter → the value passed in", { Ref: "Secret" }, "s3cret"],
    ["Ref of a pseudo parameter", { Ref: "AWS::Region" }, "eu-central-1"],
    ["GetAtt as a list", { "Fn::GetAtt": ["Jobs", "Arn"] }, "arn:aws:sqs:eu-central-1:000000000000:jobs"],
    ["GetAtt as text", { "Fn::GetAtt": "Jobs.QueueName" }, "jobs"],
    ["no name → a stable one, FIFO kept", { "Fn::GetAtt": ["Unnamed", "QueueName"] }, "first-Unnamed.fifo"],
    [
      "a name that is itself a function",
      { "Fn::GetAtt": ["Bucket", "Arn"] },
      "arn:aws:s3:::kept-eu-central-1",
    ],
    ["Join", { "Fn::Join": ["/", ["a", { Ref: "Mode" }, 3]] }, "a/live/3"],
    [
      "Sub",
      { "Fn::Sub": ["Mode", "Jobs.QueueName", "!Kept", "AWS::AccountId"].map(hole).join(":") },
      `live:jobs:${hole("Kept")}:000000000000`,
    ],
    [
      "Sub with own names",
      { "Fn::Sub": [`${hole("Own")}-${hole("Mode")}`, { Own: { Ref: "Table" } }] },
      "things-live",
    ],
    [
      "GetStackOutput",
      {
        "Fn::GetStackOutput": { StackName: "second", OutputName: "Other", Region: { Ref: "AWS::Region" } },
      },
      "arn:aws:sqs:eu-central-1:000000000000:others",
    ],
    ["NoValue → the field is left out", { kept: 1, gone: { Ref: "AWS::NoValue" } }, { kept: 1 }],
  ])("%s", (_title, value, expected) => {
    expect(resolved(value, { Secret: "s3cret" })).toEqual(expected);
  });
});

describe("what is not known stops with the location and what to do", () => {
  test.each<[string, unknown, string]>([
    [
      "function",
      { "Fn::Cidr": ["a"] },
      "Probe in stack first: the local cloud does not support Fn::Cidr: add it to",
    ],
    [
      "pseudo parameter",
      { Ref: "AWS::Never" },
      "Probe in stack first: the local cloud does not support AWS::Never",
    ],
    ["resource", { Ref: "Nobody" }, "Probe in stack first: the resource or parameter Nobody does not exist"],
    ["attribute", { "Fn::GetAtt": ["Jobs", "Color"] }, "AWS::SQS::Queue has no attribute Color here"],
    ["parameter without a value", { Ref: "Secret" }, "parameter Secret needs a value"],
    [
      "output",
      { "Fn::GetStackOutput": { StackName: "second", OutputName: "None" } },
      "second has no output None",
    ],
    [
      "stack",
      { "Fn::GetStackOutput": { StackName: "third", OutputName: "Other" } },
      "third has no output Other",
    ],
  ])("unknown %s", (_title, value, message) => {
    expect(() => resolved(value)).toThrow(message);
  });

  test("unknown resource type → logical id, stack, type and where to add it", () => {
    const stack = stackOf("first", { Resources: { Cache: { Type: "AWS::ElastiCache::CacheCluster" } } });
    expect(() => createResolver([stack], { location, parameters: {} })).toThrow(
      /^Cache in stack first is of type AWS::ElastiCache::CacheCluster, .* local\/cloud\/cloudformation\/resources\.ts/,
    );
  });
});

test("a resource under a condition → stops: it would be made whether it holds or not", () => {
  const queue = { Type: "AWS::SQS::Queue", Condition: "IsTest" };
  const stack = stackOf("first", { Resources: { Queue: queue } });
  expect(() => createResolver([stack], { location, parameters: {} })).toThrow(
    "Queue in stack first: the local cloud does not support conditions (IsTest)",
  );
});
