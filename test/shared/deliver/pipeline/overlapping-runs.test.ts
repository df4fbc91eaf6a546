import { expect, it } from "vitest";
import { type Stage, stages } from "../../../../shared/records/runs/stages.ts";
import { Killed } from "../../memory/writes.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, deliveredTitles, harvested, ordinary, runStage } from "../run-world.ts";

/** Runs the stages of a run until it dies, and says whether it has. */
async function diesWhile(runId: string, ports: MemoryPorts): Promise<boolean> {
  try {
    for (let stage: Stage | undefined = stages[0]; stage !== undefined; )
      stage = await runStage(stage, { runId }, ports);
    return false;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return true;
  }
}

it("killed at any write, another run with the same records finishes before the first → every record in one file", async () => {
  let kills = 0;
  for (const before of [true, false]) {
    for (let writes = 0; ; writes += 1) {
      const ports = new MemoryPorts();
      harvested(ports, "first", ordinary);
      harvested(ports, "second", [...ordinary, { id: "d", urls: ["https://journal.example/d"] }]);
      ports.dieAfter(writes, { before });
      const died = await diesWhile("first", ports);
      ports.live();
      await deliver("second", ports);
      // Whoever was killed holds the upload no more.
      ports.now = new Date(ports.now.getTime() + 86_400_000);
      await deliver("first", ports);
      const when = `killed ${before ? "before" : "after"} write ${writes}`;
      expect(deliveredTitles(ports), when).toEqual(["On a", "On b", "On c", "On d"]);
      for (const runId of ["first", "second"])
        expect(ports.runsById.get(runId)?.state, when).toBe("finished");
      for (const id of ["a", "b", "c", "d"])
        expect(ports.archived.get(`record:${id}`)?.state, when).toBe("automatic");
      if (!died) break;
      kills += 1;
    }
  }
  expect(kills).toBeGreaterThan(60);
});
