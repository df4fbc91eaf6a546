import { describe, expect, test } from "vitest";
import { parseScheduleExpression } from "../../../../local/cloud/scheduler/schedule-expression.ts";

describe("cron: the next times after a moment", () => {
  test.each<[string, string, string, string, string[]]>([
    [
      "daily at 20:00, over the change to summer time",
      "cron(0 20 * * ? *)",
      "Europe/Berlin",
      "2026-03-28T12:00:00Z",
      ["2026-03-28T19:00:00Z", "2026-03-29T18:00:00Z"],
    ],
    [
      "a time that the change to summer time skips is left out",
      "cron(30 2 * * ? *)",
      "Europe/Berlin",
      "2026-03-28T00:00:00Z",
      ["2026-03-28T01:30:00Z", "2026-03-30T00:30:00Z"],
    ],
    [
      "a time that the change to winter time repeats comes once",
      "cron(30 2 * * ? *)",
      "Europe/Berlin",
      "2026-10-24T12:00:00Z",
      ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
    ],
    [
      "steps from a start",
      "cron(5/25 * * * ? *)",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-01T00:05:00Z", "2026-01-01T00:30:00Z", "2026-01-01T00:55:00Z", "2026-01-01T01:05:00Z"],
    ],
    [
      "steps of a star",
      "cron(*/30 * * * ? *)",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-01T00:30:00Z", "2026-01-01T01:00:00Z"],
    ],
    ["day 2 is Monday", "cron(0 10 ? * 2 *)", "UTC", "2026-01-01T00:00:00Z", ["2026-01-05T10:00:00Z"]],
    ["day 1 is Sunday", "cron(0 10 ? * 1 *)", "UTC", "2026-01-01T00:00:00Z", ["2026-01-04T10:00:00Z"]],
    [
      "days by name",
      "cron(0 10 ? * SAT-SUN *)",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-03T10:00:00Z", "2026-01-04T10:00:00Z"],
    ],
    [
      "a range of days",
      "cron(0 10 ? * 2-3 *)",
      "UTC",
      "2026-01-01T00:00:00Z",
      ["2026-01-05T10:00:00Z", "2026-01-06T10:00:00Z", "2026-01-12T10:00:00Z"],
    ],
    ["the first Monday", "cron(0 10 ? * 2#1 *)", "UTC", "2026-01-06T00:00:00Z", ["2026-02-02T10:00:00Z"]],
    ["the last Friday", "cron(0 10 ? * 6L *)", "UTC", "2026-01-01T00:00:00Z", ["2026-01-30T10:00:00Z"]],
    [
      "the last day of the month",
      "cron(0 10 L * ? *)",
      "UTC",
      "2026-02-01T00:00:00Z",
      ["2026-02-28T10:00:00Z"],
    ],
    ["a year that is over → never", "cron(0 10 1 1 ? 2020)", "UTC", "2026-01-01T00:00:00Z", []],
  ])("%s", (_title, expression, timeZone, after, expected) => {
    const timing = parseScheduleExpression(expression, timeZone);
    if (timing.kind !== "cron") throw new Error("not a cron expression");
    const times: string[] = [];
    let ms: number | undefined = Date.parse(after);
    while (times.length < Math.max(1, expected.length)) {
      ms = timing.nextAfter(ms);
      if (ms === undefined) break;
      times.push(new Date(ms).toISOString().replace(".000Z", "Z"));
    }
    expect(times).toEqual(expected);
  });
});

describe("rate and at", () => {
  test.each<[string, string, object]>([
    ["rate(1 minute)", "UTC", { kind: "rate", everyMs: 60_000 }],
    ["rate(2 hours)", "UTC", { kind: "rate", everyMs: 7_200_000 }],
    ["rate(3 days)", "UTC", { kind: "rate", everyMs: 259_200_000 }],
    ["at(2026-07-01T20:00:00)", "Europe/Berlin", { kind: "at", atMs: Date.parse("2026-07-01T18:00:00Z") }],
    ["at(2020-01-01T00:00:00)", "UTC", { kind: "at", atMs: Date.parse("2020-01-01T00:00:00Z") }],
  ])("%s in %s", (expression, timeZone, expected) => {
    expect(parseScheduleExpression(expression, timeZone)).toEqual(expected);
  });
});

describe("what EventBridge Scheduler refuses is refused", () => {
  test.each([
    ["0 20 * * ? *", "must be at(…), rate(…) or cron(…)"],
    ["cron(0 20 * * *)", "needs six fields"],
    ["cron(0 20 * * * *)", "needs ? in either"],
    ["cron(0 20 ? * ? *)", "needs ? in either"],
    ["cron(0 25 * * ? *)", "ScheduleExpression"],
    ["rate(0 minutes)", "positive number"],
    ["rate(5 seconds)", "positive number"],
    ["at(2026-07-01)", "yyyy-mm-ddThh:mm:ss"],
  ])("%s → %s", (expression, message) => {
    expect(() => parseScheduleExpression(expression)).toThrow(message);
  });

  test("a time zone that there is not → refused, naming it", () => {
    expect(() => parseScheduleExpression("at(2026-07-01T20:00:00)", "Europe/Berlim")).toThrow(
      'ScheduleExpressionTimezone: must be an IANA time zone (got "Europe/Berlim")',
    );
  });
});
