import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScheduleStore } from "../../local/cloud/scheduler/schedule-store.ts";
import { scheduleNames } from "../../shared/names.ts";
import { demoEventTypes } from "../shared/records/events/demo-event-types.ts";
import { schemaProblem } from "../shared/records/events/event-schemas.ts";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";
import { deliveredTitles, demoRecords, expectSuccess, mailsIn } from "./started.ts";

/** The names of the schedules that do not run on their own. */
function idleSchedules(stateDir: string): string[] {
  const store = openScheduleStore(join(stateDir, "schedules.db"));
  const idle = store.all().filter(({ nextMs }) => nextMs === null);
  store.close();
  return idle.map(({ definition }) => definition.Name);
}

/** The log of the bus: all of it is valid by the published schemas, and each of these types is in it. */
function expectPublished(stateDir: string, types: readonly string[]): void {
  const lines = readFileSync(join(stateDir, "events.ndjson"), "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { "detail-type": string; detail: unknown });
  const problems = events.map((event) => schemaProblem({ type: event["detail-type"], detail: event.detail }));
  expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  expect(new Set(events.map((event) => event["detail-type"]))).toEqual(new Set(types));
}

describe("npm start -- --once", () => {
  it("delivers the demo in MARCXML that another reader accepts; a second start delivers nothing again", async () => {
    const stateDir = stateFolder();
    const first = await startProcess(stateDir, "--once");
    expectSuccess(first, await first.ended);
    const titles = await deliveredTitles(stateDir);
    expect(new Set(titles).size).toBe(demoRecords);
    expect(titles).toHaveLength(demoRecords);
    expect(mailsIn(stateDir)[0]).toMatch(/^Subject: .*10 records delivered, 1 refused$/m);
    expect(first.lines.join("\n")).toMatch(/^Delivered 10, .* refused 1, waiting 1, overdue sources 1\.$/m);

    expectPublished(stateDir, demoEventTypes);

    const second = await startProcess(stateDir, "--once");
    expectSuccess(second, await second.ended);
    expect(second.lines.join("\n")).toMatch(/Delivered 0, 10 delivered before/);
    expect(await deliveredTitles(stateDir)).toEqual(titles);
    expect(mailsIn(stateDir)).toHaveLength(2);
    const daily: string[] = [scheduleNames.dailyLive, scheduleNames.dailyTest];
    expect(idleSchedules(stateDir)).toEqual(expect.arrayContaining(daily));
    expect(idleSchedules(stateDir)).not.toContain(scheduleNames.sweepCollections);
  });
});

describe.runIf(process.platform === "linux")("npm start with few open files", () => {
  it.each([40, 60, 100])("%d → ended with exit code 1, the limit named, without stacks", (files) => {
    const script = join(import.meta.dirname, "../../local/start.ts");
    const args = ["--once", "--port", "0", "--demo-port", "0", "--state", stateFolder()];
    const { status, stderr } = spawnSync(
      "/bin/sh",
      ["-c", `ulimit -n ${files}; exec "$@"`, "sh", process.execPath, script, ...args],
      { env: { ...process.env, AWS_ENDPOINT_URL: "" }, encoding: "utf8" },
    );
    expect(stderr).toMatch(/too many files open \(EMFILE\): .*raise its limit of open files \(ulimit -n\)/);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(status).toBe(1);
  });
});
