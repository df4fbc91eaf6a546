import { describe, expect, test } from "vitest";
import {
  assertPattern,
  type EventPattern,
  matchesPattern,
} from "../../../../local/cloud/eventbridge/event-pattern.ts";

const event = {
  source: "ingather",
  "detail-type": "record.stored",
  detail: { kind: "article", tags: ["a", "b"], count: 2 },
};

describe("an event of a stored record", () => {
  test.each<[string, EventPattern, boolean]>([
    ["the same source → matches", { source: ["ingather"] }, true],
    ["one of several → matches", { source: ["x", "ingather"] }, true],
    ["another source → does not", { source: ["x"] }, false],
    ["two fields, one differs → does not", { source: ["ingather"], "detail-type": ["x"] }, false],
    ["prefix → matches", { "detail-type": [{ prefix: "record." }] }, true],
    ["another prefix → does not", { "detail-type": [{ prefix: "run." }] }, false],
    ["anything but another → matches", { source: [{ "anything-but": "x" }] }, true],
    ["anything but it → does not", { source: [{ "anything-but": ["x", "ingather"] }] }, false],
    ["a field of the detail → matches", { detail: { kind: ["article"] } }, true],
    ["one entry of a list → matches", { detail: { tags: ["b"] } }, true],
    ["a number → matches", { detail: { count: [2] } }, true],
    ["a field that is not there → does not", { detail: { color: ["red"] } }, false],
    ["exists → matches", { detail: { kind: [{ exists: true }] } }, true],
    ["does not exist → matches", { detail: { color: [{ exists: false }] } }, true],
    ["deeper than the event → does not", { detail: { kind: { of: ["x"] } } }, false],
  ])("%s", (_title, pattern, expected) => {
    expect(matchesPattern(pattern, event)).toBe(expected);
  });
});

describe("an operator that is not known stops at the start", () => {
  test.each<[string, EventPattern]>([
    ["numeric", { detail: { count: [{ numeric: [">", 1] }] } }],
    ["$or", { $or: [{ source: ["a"] }] }],
    ["anything-but prefix", { source: [{ "anything-but": { prefix: "a" } }] }],
  ])("%s", (operator, pattern) => {
    expect(() => assertPattern(pattern, "rule r")).toThrow(
      `rule r: the local cloud does not support the pattern operator ${operator}`,
    );
  });
});
