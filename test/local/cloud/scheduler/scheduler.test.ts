import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DeliveryPostponed } from "../../../../local/cloud/scheduler/invoke-schedule-target.ts";
import {
  openScheduleStore,
  type ScheduleDefinition,
} from "../../../../local/cloud/scheduler/schedule-store.ts";
import { Scheduler } from "../../../../local/cloud/scheduler/scheduler.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

const minuteMs = 60_000;

function schedule(Name: string, ScheduleExpression: string, more: object = {}): ScheduleDefinition {
  return { Name, ScheduleExpression, Target: { Arn: "a", RoleArn: "r" }, ...more };
}

/** A scheduler whose time stands still until the test advances it; `fired` is what it delivered and when it was due. */
function started(file = join(temporaryFolder(), "schedules.db"), nowMs = 0, isLate = false) {
  const clock = { nowMs };
  const fired: string[] = [];
  const problems: string[] = [];
  const store = openScheduleStore(file);
  const scheduler = new Scheduler({
    store,
    nowMs: () => clock.nowMs,
    invokeTarget: async ({ Name }, { scheduledMs, number }) => {
      if (Name.startsWith("bad")) throw new Error("not permitted");
      if (Name.startsWith("busy") && number < 3) throw new DeliveryPostponed("busy", number * minuteMs);
      fired.push(`${Name}@${scheduledMs / minuteMs}`);
    },
    reportError: (problem) => void problems.push(problem),
    isLate,
  });
  const advanceTo = async (minutes: number) => {
    clock.nowMs = minutes * minuteMs;
    await scheduler.tick();
  };
  return { file, scheduler, store, fired, problems, advanceTo };
}

describe("a schedule of the API fires", () => {
  test.each<[string, string, object, string[]]>([
    ["rate → at once and then by its period", "rate(2 minutes)", {}, ["s@0", "s@2", "s@4"]],
    ["rate with a start → from then on", "rate(2 minutes)", { StartDate: 180 }, ["s@3", "s@5"]],
    ["rate with an end → until then", "rate(2 minutes)", { EndDate: 120 }, ["s@0", "s@2"]],
    ["cron → at its times", "cron(*/3 * * * ? *)", {}, ["s@3"]],
    ["at → once", "at(1970-01-01T00:02:00)", {}, ["s@2"]],
    ["disabled → never", "rate(1 minute)", { State: "DISABLED" }, []],
  ])("%s", async (_title, expression, more, expected) => {
    const { scheduler, fired, advanceTo } = started();
    scheduler.put(schedule("s", expression, more));
    for (const minute of [0, 1, 2, 3, 4, 5]) await advanceTo(minute);
    expect(fired).toEqual(expected);
  });
});

test("a delivery that is postponed → repeated for the same time, beside other schedules; then the next time comes", async () => {
  const { scheduler, fired, problems, advanceTo } = started();
  scheduler.put(schedule("busy", "rate(5 minutes)"));
  scheduler.put(schedule("other", "rate(1 minute)"));
  for (const minute of [0, 1, 2, 3, 4, 5, 6, 8]) await advanceTo(minute);
  expect(fired.filter((each) => each.startsWith("busy"))).toEqual(["busy@0", "busy@5"]);
  expect(fired.filter((each) => each.startsWith("other"))).toHaveLength(8);
  expect(problems).toEqual([]);
});

test("at with DELETE after completion → is gone; without → stays, and fires no more", async () => {
  const { scheduler, store, advanceTo } = started();
  scheduler.put(schedule("gone", "at(1970-01-01T00:01:00)", { ActionAfterCompletion: "DELETE" }));
  scheduler.put(schedule("stays", "at(1970-01-01T00:01:00)"));
  await advanceTo(1);
  expect(store.all().map(({ definition, nextMs }) => [definition.Name, nextMs])).toEqual([["stays", null]]);
});

test("a missed at → fires at the next start", async () => {
  const before = started();
  before.scheduler.put(schedule("once", "at(1970-01-01T00:05:00)"));
  before.store.close();
  const after = started(before.file, 60 * minuteMs);
  after.scheduler.load([], "all");
  await after.scheduler.tick();
  expect(after.fired).toEqual(["once@5"]);
});

test("missed cron times of a template → are left out", async () => {
  const templates = [schedule("daily", "cron(0 * * * ? *)")];
  const before = started();
  before.scheduler.load(templates, "all");
  before.store.close();
  const after = started(before.file, 90 * minuteMs);
  after.scheduler.load(templates, "all");
  await after.scheduler.tick();
  await after.advanceTo(120);
  expect(after.fired).toEqual(["daily@120"]);
});

test("a delivery that fails → is reported, and the schedule continues", async () => {
  const { scheduler, problems, fired, advanceTo } = started();
  scheduler.put(schedule("bad", "rate(1 minute)"));
  scheduler.put(schedule("good", "rate(1 minute)"));
  await advanceTo(0);
  await advanceTo(1);
  expect(problems).toEqual(["schedule bad: not permitted", "schedule bad: not permitted"]);
  expect(fired).toEqual(["good@0", "good@1"]);
});

describe("late, as the service", () => {
  const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
  const late = (file?: string, nowMs = 0) => started(file, nowMs, true);

  test("→ each fires once, in the minute after its time, and not all at once", async () => {
    const { scheduler, fired, advanceTo } = late();
    for (const name of names) scheduler.put(schedule(name, "at(1970-01-01T00:02:00)"));
    await advanceTo(2 - 1 / 60);
    expect(fired).toEqual([]);
    await advanceTo(2.5);
    const early = [...fired];
    expect(early.length).toBeGreaterThan(0);
    expect(early.length).toBeLessThan(names.length);
    for (const minute of [3 - 1 / 60, 4, 5]) await advanceTo(minute);
    expect(fired.toSorted()).toEqual(names.map((name) => `${name}@2`).sort());
  });

  test("a restart → as late as before", async () => {
    const before = late();
    for (const name of names) before.scheduler.put(schedule(name, "at(1970-01-01T00:02:00)"));
    await before.advanceTo(2.5);
    before.store.close();
    const after = late(before.file, 2.5 * minuteMs);
    await after.scheduler.tick();
    expect(after.fired).toEqual([]);
    await after.advanceTo(3);
    expect([...before.fired, ...after.fired].sort()).toEqual(names.map((name) => `${name}@2`).sort());
  });

  test("a rate → keeps its period", async () => {
    const { scheduler, fired, advanceTo } = late();
    scheduler.put(schedule("s", "rate(2 minutes)"));
    for (const minute of [1, 2, 3, 4, 5]) await advanceTo(minute);
    expect(fired).toEqual(["s@0", "s@2", "s@4"]);
  });
});

test("two ticks at once → each schedule fires once", async () => {
  const { scheduler, fired } = started();
  scheduler.put(schedule("s", "rate(1 minute)"));
  await Promise.all([scheduler.tick(), scheduler.tick()]);
  expect(fired).toEqual(["s@0"]);
});

describe("of the templates' schedules", () => {
  const templates = [schedule("hourly", "cron(0 * * * ? *)"), schedule("often", "rate(1 hour)")];
  test.each<[string, Parameters<Scheduler["load"]>[1], string[]]>([
    ["all → each by its own times", "all", ["often@0"]],
    ["none → none", "none", []],
    ["all but one → not that", { allExcept: ["often"] }, []],
    ["all but another → it", { allExcept: ["hourly"] }, ["often@0"]],
    [
      "every → those named, by the period given",
      { periodsMs: { hourly: minuteMs } },
      ["hourly@0", "hourly@1", "hourly@2"],
    ],
  ])("%s", async (_title, choice, expected) => {
    const { scheduler, fired, advanceTo } = started();
    scheduler.load(templates, choice);
    for (const minute of [0, 1, 2]) await advanceTo(minute);
    expect(fired).toEqual(expected);
  });

  test.each([
    ["every", { periodsMs: { nobody: 1 } }],
    ["all but", { allExcept: ["often", "nobody"] }],
  ])("%s with a name that there is not → stops", (_title, choice) => {
    const { scheduler } = started();
    expect(() => scheduler.load(templates, choice)).toThrow("the schedule nobody is not in the templates");
  });

  test("one that left the templates → is forgotten, one of the API stays", () => {
    const { scheduler, store } = started();
    scheduler.put(schedule("mine", "rate(1 hour)"));
    scheduler.load(templates, "all");
    scheduler.load(templates.slice(1), "all");
    expect(store.all().map(({ definition }) => definition.Name)).toEqual(["mine", "often"]);
  });
});
