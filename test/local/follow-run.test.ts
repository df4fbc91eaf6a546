import { expect, it } from "vitest";
import { followRun } from "../../local/follow-run.ts";
import { fail, harvested, ordinary, runStage } from "../shared/delivery/run-world.ts";
import { MemoryPorts } from "../shared/memory-ports.ts";

it("a run that fails → followed until its mail is sent", async () => {
  const ports = new MemoryPorts();
  harvested(ports, "run", ordinary);
  await fail("upload", ports, {
    read: async (report) => {
      // Read only when the run has been seen as failed.
      setTimeout(() => void runStage("report", report, ports), 300);
    },
  });
  const following = { tell: () => {}, signal: AbortSignal.timeout(9_000) };
  expect(await followRun("run", ports.runs, following)).toMatchObject({ run: { state: "failed" } });
  expect(ports.mails).toHaveLength(1);
});
