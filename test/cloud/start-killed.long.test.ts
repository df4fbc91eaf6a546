import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";
import { deliveredTitles, demoRecords, expectSuccess } from "./started.ts";

describe("npm start -- --once", () => {
  it("killed while the feed is fetched, while articles are read, and while records are delivered → the next start delivers everything, the one after it nothing again", async () => {
    const stateDir = stateFolder();
    for (const last of ["start-harvest", "read-article", "validate-records"]) {
      // A run's reported progress may pass between two looks; what a function has logged stays.
      const log = join(stateDir, `logs/ingather-${last}.log`);
      const logged = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
      const before = logged();
      const started = await startProcess(stateDir, "--once");
      await expect.poll(logged, { interval: 5 }).toBeGreaterThan(before);
      started.process.kill("SIGKILL");
      expect(await started.ended).toBeNull();
    }
    for (const _start of ["next", "the one after it"]) {
      const started = await startProcess(stateDir, "--once");
      expectSuccess(started, await started.ended);
      const titles = await deliveredTitles(stateDir);
      expect(new Set(titles).size).toBe(demoRecords);
      expect(titles).toHaveLength(demoRecords);
    }
  });
});
