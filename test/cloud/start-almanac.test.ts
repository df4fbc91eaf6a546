import { describe, expect, it } from "vitest";
import { stateFolder } from "./local-cloud.ts";
import { severalStarts, startProcess } from "./start-process.ts";

describe("npm start", severalStarts, () => {
  it("shows a collection that crumbles and comes back", async () => {
    const stateDir = stateFolder();
    const started = await startProcess(stateDir, "--every", "5s");
    await started.waitForLine(/^The Crumbling Almanac is suppressed: all 4 sampled links are broken/);
    await started.waitForLine(/^The Crumbling Almanac is activated: /);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    expect(started.lines.filter((line) => /failed|broke off/i.test(line))).toEqual([]);
  });
});
