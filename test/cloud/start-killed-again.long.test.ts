import { describe, expect, it } from "vitest";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";
import { deliveredTitles, demoRecords, expectSuccess } from "./started.ts";

describe("npm start -- --once", () => {
  it("killed again and again in the same place → the next start still delivers everything, once", async () => {
    const stateDir = stateFolder();
    for (let kill = 0; kill < 6; kill += 1) {
      const started = await startProcess(stateDir, "--once");
      await started.waitForLine(/^(harvesting|finishing run|delivering|finished)/);
      started.process.kill("SIGKILL");
      await started.ended;
    }
    const last = await startProcess(stateDir, "--once");
    expectSuccess(last, await last.ended);
    expect(await deliveredTitles(stateDir)).toHaveLength(demoRecords);
  });
});
