import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateFolder } from "./local-cloud.ts";
import { severalStarts, startProcess } from "./start-process.ts";
import { deliveredTitles, demoRecords, expectSuccess } from "./started.ts";

describe("npm start -- --once", severalStarts, () => {
  // What is told of a run's progress may pass between two looks; what a function has logged stays.
  it.each([
    ["while the feed is fetched", "start-harvest"],
    ["while articles are read", "read-article"],
    ["while the records are delivered", "validate-records"],
  ])("killed %s, started again → everything is delivered, once", async (_when, last) => {
    const stateDir = stateFolder();
    const first = await startProcess(stateDir, "--once");
    const log = join(stateDir, `logs/ingather-${last}.log`);
    await expect.poll(() => existsSync(log), { interval: 5 }).toBe(true);
    first.process.kill("SIGKILL");
    await first.ended;

    const second = await startProcess(stateDir, "--once");
    expectSuccess(second, await second.ended);
    const third = await startProcess(stateDir, "--once");
    expectSuccess(third, await third.ended);
    const titles = await deliveredTitles(stateDir);
    expect(new Set(titles).size).toBe(demoRecords);
    expect(titles).toHaveLength(demoRecords);
  });
});
