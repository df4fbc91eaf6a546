import type { Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigError } from "../../../shared/core/errors.ts";
import { scheduledHandler } from "../../../shared/runtime/scheduled.ts";

const now = "2026-11-20T12:00:00.000Z";
const logged: unknown[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.spyOn(console, "log").mockImplementation((line: string) => void logged.push(JSON.parse(line)));
  vi.useFakeTimers({ now: new Date(now), toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const context = {} as Context;

/** A function that returns the time that it was invoked for. */
const handler = scheduledHandler({
  services: () => ({ name: "a" }),
  handle: async ({ name }, at) => ({ name, at: at.toISOString() }),
});

describe("the time that a schedule's function works for", () => {
  it.each([
    ["the schedule's own", { time: "2026-11-20T06:00:00Z" }, "2026-11-20T06:00:00.000Z"],
    [
      "with an offset, as an operator may write it",
      { time: "2026-11-20T07:00:00+01:00" },
      "2026-11-20T06:00:00.000Z",
    ],
    ["a time to come → now", { time: "2026-11-20T12:00:01Z" }, now],
    ["a day to come, by its offset → now", { time: "2026-11-20T12:00:00-01:00" }, now],
    ["none → now", {}, now],
    ["no object → now", null, now],
    ["a text → now", "anything", now],
  ])("%s", async (_title, event, at) => {
    expect(await handler(event, context)).toEqual({ name: "a", at });
    expect(logged).toMatchObject([{ level: "info", done: { name: "a", at } }]);
  });

  it.each([
    ["a day that there is not", "2026-13-01T06:00:00Z"],
    ["a day alone", "2026-11-20"],
    ["words", "yesterday"],
    ["a number", 1764000000],
    ["null", null],
    ["nothing", ""],
  ])("%s → an InputError that shows it, and nothing is done", async (_title, time) => {
    const handle = vi.fn(async () => ({}));
    const never = scheduledHandler({ services: () => ({}), handle });
    await expect(never({ time }, context)).rejects.toThrow(
      `time: must be a time such as 2026-11-20T06:00:00Z (got ${JSON.stringify(time)})`,
    );
    expect(handle).not.toHaveBeenCalled();
    expect(logged).toMatchObject([{ level: "error", error: "InputError" }]);
  });
});

it("services → built once; again after they could not be built", async () => {
  let tries = 0;
  const own = scheduledHandler({
    services: () => {
      tries += 1;
      if (tries === 1) throw new ConfigError("a variable is missing");
      return { tries };
    },
    handle: async (services) => services,
  });
  await expect(own({}, context)).rejects.toThrow(ConfigError);
  expect(await own({}, context)).toEqual({ tries: 2 });
  expect(await own({}, context)).toEqual({ tries: 2 });
  expect(logged).toMatchObject([
    { level: "error", error: "ConfigError", detail: "a variable is missing" },
    { level: "info", done: { tries: 2 } },
    { level: "info", done: { tries: 2 } },
  ]);
});
