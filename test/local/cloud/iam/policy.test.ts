import { describe, expect, test } from "vitest";
import {
  appliesToPrincipal,
  assertSupported,
  evaluate,
  type PolicyDecision,
  type Statement,
} from "../../../../local/cloud/iam/policy.ts";

const queue = "arn:aws:sqs:eu-central-1:000000000000:jobs";
const allow = (
  Action: string | string[],
  Resource: string | string[],
  Condition?: Statement["Condition"],
): Statement => ({
  Effect: "Allow",
  Action,
  Resource,
  ...(Condition !== undefined && { Condition }),
});
const deny = (Action: string, Resource: string, Condition?: Statement["Condition"]): Statement => ({
  ...allow(Action, Resource, Condition),
  Effect: "Deny",
});
const fromRule = { ArnEquals: { "aws:SourceArn": "arn:aws:events:*:*:rule/bus/r" } };

describe("an update of attributes that are named one by one is", () => {
  const only = { "ForAllValues:StringEquals": { "dynamodb:Attributes": ["id", "seenAt"] } };
  test.each<[string, string[], PolicyDecision]>([
    ["of these → allowed", ["id", "seenAt"], "allow"],
    ["of another, too → denied", ["id", "seenAt", "state"], "implicit-deny"],
  ])("%s", (_title, attributes, verdict) => {
    const context = { "dynamodb:attributes": attributes };
    const request = { action: "dynamodb:UpdateItem", resource: "table", context };
    expect(evaluate([allow("dynamodb:UpdateItem", "table", only)], request)).toBe(verdict);
  });
});

describe("sqs:SendMessage on a queue is", () => {
  test.each<[string, readonly Statement[], PolicyDecision]>([
    ["no statement → denied", [], "implicit-deny"],
    ["the action and the resource → allowed", [allow("sqs:SendMessage", queue)], "allow"],
    ["another action → denied", [allow("sqs:ReceiveMessage", queue)], "implicit-deny"],
    ["another resource → denied", [allow("sqs:SendMessage", `${queue}-dead`)], "implicit-deny"],
    ["one of several of each → allowed", [allow(["a:B", "sqs:SendMessage"], ["x", queue])], "allow"],
    ["wildcard action → allowed", [allow("sqs:Send*", queue)], "allow"],
    ["wildcard resource → allowed", [allow("sqs:SendMessage", "arn:aws:sqs:*:*:job?")], "allow"],
    [
      "a dot is not a wildcard → denied",
      [allow("sqs:SendMessage", queue.replace("jobs", "j.bs"))],
      "implicit-deny",
    ],
    ["action in other case → allowed", [allow("SQS:sendmessage", queue)], "allow"],
    ["resource in other case → denied", [allow("sqs:SendMessage", queue.toUpperCase())], "implicit-deny"],
    ["allowed and denied → denied", [allow("*", "*"), deny("sqs:*", queue)], "explicit-deny"],
    ["denied elsewhere → allowed", [allow("*", "*"), deny("sqs:*", "other")], "allow"],
    ["condition met → allowed", [allow("*", "*", fromRule)], "allow"],
    [
      "condition not met → denied",
      [allow("*", "*", { StringEquals: { "aws:SourceAccount": "1" } })],
      "implicit-deny",
    ],
    [
      "no TLS is denied → allowed over TLS",
      [allow("*", "*"), deny("*", "*", { Bool: { "aws:SecureTransport": "false" } })],
      "allow",
    ],
    [
      "a condition as boolean → the same",
      [allow("*", "*", { Bool: { "aws:SecureTransport": true } })],
      "allow",
    ],
  ])("%s", (_title, statements, verdict) => {
    const context = {
      "aws:sourcearn": "arn:aws:events:eu-central-1:000000000000:rule/bus/r",
      "aws:sourceaccount": "000000000000",
      "aws:securetransport": "true",
    };
    expect(evaluate(statements, { action: "sqs:SendMessage", resource: queue, context })).toBe(verdict);
  });
});

describe("a condition that is the contrary of another", () => {
  test.each<[string, Statement["Condition"], PolicyDecision]>([
    ["another value → met", { StringNotEquals: { "events:source": "b" } }, "allow"],
    ["the value → not met", { StringNotEquals: { "events:source": ["a", "b"] } }, "implicit-deny"],
    ["a pattern of it → not met", { ArnNotLike: { "aws:PrincipalArn": "r*" } }, "implicit-deny"],
    ["no value → met", { StringNotEquals: { "aws:SourceAccount": "1" } }, "allow"],
    [
      "no value, for any → not met",
      { "ForAnyValue:StringNotEquals": { "aws:SourceAccount": "1" } },
      "implicit-deny",
    ],
  ])("%s", (_title, condition, verdict) => {
    const context = { "events:source": "a", "aws:principalarn": "role" };
    expect(evaluate([allow("*", "*", condition)], { action: "a:B", resource: "r", context })).toBe(verdict);
  });
});

test("a condition on a key that the request has not → not met", () => {
  const request = { action: "sqs:SendMessage", resource: queue, context: {} };
  expect(evaluate([allow("*", "*", fromRule)], request)).toBe("implicit-deny");
});

describe("what cannot be evaluated stops at the start", () => {
  test.each<[string, Statement, string]>([
    [
      "NotAction",
      { Effect: "Allow", NotAction: "s3:*", Resource: "*" },
      "role r: the local cloud does not support NotAction",
    ],
    ["NotResource", { Effect: "Allow", Action: "*", NotResource: "*" }, "NotResource"],
    [
      "operator",
      allow("*", "*", { DateLessThan: { "aws:CurrentTime": "2026" } }),
      "the condition operator DateLessThan",
    ],
    [
      "key",
      allow("*", "*", { StringEquals: { "aws:PrincipalTag/x": "y" } }),
      "the condition key aws:PrincipalTag/x",
    ],
  ])("%s", (_title, statement, message) => {
    expect(() => assertSupported([statement], "role r")).toThrow(message);
  });
});

describe("a resource policy speaks of", () => {
  const statement = (Principal: Statement["Principal"]): Statement => ({
    ...allow("*", "*"),
    ...(Principal !== undefined && { Principal }),
  });
  test.each<[string, Statement["Principal"], boolean]>([
    ["everybody", "*", true],
    ["everybody of AWS", { AWS: "*" }, false],
    ["the service", { Service: "events.amazonaws.com" }, true],
    ["one of several services", { Service: ["a", "events.amazonaws.com"] }, true],
    ["another service", { Service: "sns.amazonaws.com" }, false],
    ["nobody", undefined, false],
  ])("%s → for events.amazonaws.com %s", (_title, principal, expected) => {
    expect(appliesToPrincipal(statement(principal), "Service", "events.amazonaws.com")).toBe(expected);
  });
});
