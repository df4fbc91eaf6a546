import { describe, expect, it } from "vitest";
import { divideStep, workOnPart } from "../../../../shared/records/runs/divided-step.ts";
import type { StageRequest } from "../../../../shared/records/runs/stages.ts";
import { MemoryPorts } from "../../memory-ports.ts";

describe("a part that is requested twice", () => {
  it("→ is done once, and its duplicate still requests the stage", async () => {
    const { runs } = new MemoryPorts();
    const sent: StageRequest[] = [];
    const done: string[] = [];
    const partsQueue = { send: async (request: StageRequest) => void sent.push(request) };
    const ports = { runs, partsQueue, division: { partSize: 1, maxInline: 0 } };
    const work = async (id: string) => void done.push(id);
    const step = { step: "settle-refused" as const, ids: ["0", "1"], documents: 2, work };
    // The stage is requested twice, so each part is.
    for (const _request of [1, 2]) expect(await divideStep("run", step, ports)).toBe(false);
    for (const { runId, part } of sent.splice(0))
      if (part !== undefined) await workOnPart({ runId, part }, work, ports);
    expect(done).toEqual(["0", "1"]);
    // By the last part and by both duplicates: a worker may have been killed before it sent its message.
    expect(sent).toEqual(Array.from({ length: 3 }, () => ({ runId: "run" })));
    expect(await divideStep("run", step, ports)).toBe(true);
  });
});
