import { describe, expect, it } from "vitest";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";

describe("npm start", () => {
  it("a site that loses its pages for a while → its collection is suppressed, then active", async () => {
    const stateDir = stateFolder();
    const started = await startProcess(stateDir, "--every", "5s");
    await started.waitForLine(/^The Vanishing Calendar is suppressed: all 4 sampled links are broken/);
    await started.waitForLine(/^The Vanishing Calendar is activated: /);
    // Stopped before its run is done, a start ends with another code.
    await started.waitForLine(/^Delivered \d/);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(0);
    expect(started.lines.filter((line) => /failed|Ingather stopped/i.test(line))).toEqual([]);
  });
});
