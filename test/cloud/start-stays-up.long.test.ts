import { describe, expect, it } from "vitest";
import { stateFolder } from "./local-cloud.ts";
import { startProcess } from "./start-process.ts";
import { demoRecords } from "./started.ts";

describe("npm start", () => {
  it("stays up until Ctrl-C, then stops cleanly", async () => {
    const started = await startProcess(stateFolder());
    const token = (await started.waitForLine(/^ey/)).trim();
    const url = /(http:\S+)\/deliveries/.exec(await started.waitForLine(/^Try: curl/))?.[1] ?? "";

    const delivered = await started.waitForLine(/^Delivered/);
    expect(started.lines.indexOf(token)).toBeLessThan(started.lines.indexOf(delivered));
    await started.waitForLine(/^Ingather stays up/);

    const refused = await fetch(`${url}/deliveries`);
    expect(refused.status).toBe(401);
    const listed = await fetch(`${url}/deliveries`, { headers: { authorization: `Bearer ${token}` } });
    expect(await listed.json()).toMatchObject({ deliveries: [{ records: demoRecords }] });
    const unknown = await fetch(`${url}/records/nobody`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toEqual(expect.objectContaining({ detail: "there is no record nobody" }));

    await started.waitForLine(/^Snapshot of the demo journal: active/);
    const snapshots = await fetch(`${url}/snapshots`, { headers: { authorization: `Bearer ${token}` } });
    expect(await snapshots.json()).toMatchObject({
      definitions: [{ isActive: true, index: { state: "ready", jobIds: [] } }],
    });

    started.process.kill("SIGINT");
    expect(await started.ended).toBe(0);
  });

  it("SIGTERM before its run is done → exits with 143", async () => {
    const started = await startProcess(stateFolder());
    await started.waitForLine(/^Ingather is up/);
    started.process.kill("SIGTERM");
    expect(await started.ended).toBe(143);
  });
});
