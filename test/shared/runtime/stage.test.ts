import type { Context } from "aws-lambda";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RemoteError, ThrottledError } from "../../../shared/core/errors.ts";
import type { Run } from "../../../shared/records/runs/run.ts";
import type { RunStore } from "../../../shared/records/runs/run-store.ts";
import { type Stage, type StageRequest, stageTries } from "../../../shared/records/runs/stages.ts";
import { awsEndpoint } from "../adapters/aws/endpoint.ts";
import { MemoryPorts } from "../memory-ports.ts";
import { sqsRecord } from "./sqs-record.ts";

await awsEndpoint(() => ({ QueueUrl: `${process.env.AWS_ENDPOINT_URL}/queue` }));
const { stageHandler } = await import("../../../shared/runtime/stage.ts");

const at = "2026-11-20T20:00:00.000Z";
const delivering: Run = {
  runId: "run",
  deliveryMode: "LIVE",
  state: "delivering",
  startedAt: "2026-11-20T19:00:00Z",
  deadlineAt: "2026-11-21T03:00:00Z",
};

let ports: MemoryPorts;
let mailed: StageRequest[];
beforeEach(() => {
  ports = new MemoryPorts();
  ports.now = new Date(at);
  ports.runsById.set("run", delivering);
  mailed = [];
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

interface Invocation {
  stage?: Stage;
  receives?: number;
  request?: StageRequest;
  /** What is left of the invocation when it begins. */
  remainingMs?: number;
  runs?: RunStore;
}

/** Invokes a stage that does this work. @returns whether its message comes again */
async function invoke(
  work: (request: StageRequest) => Promise<void>,
  {
    stage = "upload",
    receives = 1,
    request = { runId: "run" },
    remainingMs = 900_000,
    runs = ports.runs,
  }: Invocation = {},
): Promise<boolean> {
  const handler = stageHandler({
    stage,
    services: () => ({
      runs,
      reports: { send: async (message: StageRequest) => void mailed.push(message) },
      clock: ports.clock,
    }),
    handle: work,
  });
  const Records = [sqsRecord("m", JSON.stringify(request), { receives })];
  const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
  return (await handler({ Records }, context)).batchItemFailures.length > 0;
}

const broken = async () => {
  throw new RemoteError("the receiver hung up");
};
const endless = () => new Promise<void>(() => {});

describe("a stage that fails", () => {
  it("before its last try → tried again, and its run is still in progress", async () => {
    expect(await invoke(broken, { receives: stageTries - 1 })).toBe(true);
    expect(ports.runsById.get("run")).toEqual(delivering);
    expect(mailed).toEqual([]);
  });

  it.each([
    ["by an error", broken, 900_000, "the receiver hung up"],
    ["by the end of its time, 15 s before that of the invocation", endless, 15_000, "not done within 0 s"],
  ])(
    "at its last try, %s → its run has failed there, and the reason is mailed",
    async (_title, work, remainingMs, reason) => {
      expect(await invoke(work, { receives: stageTries, remainingMs })).toBe(true);
      const failure = { stage: "upload", reason, at };
      expect(ports.runsById.get("run")).toEqual({ ...delivering, state: "failed", failure });
      expect(mailed).toEqual([{ runId: "run", failure }]);
    },
  );

  it("in several parts → one mail, and parts that follow leave the run failed", async () => {
    const partOf = (id: string): StageRequest => ({ runId: "run", part: { step: "claim-valid", id } });
    for (const id of ["0", "1"]) await invoke(broken, { receives: stageTries, request: partOf(id) });
    expect(mailed.length).toBe(1);
    expect(await invoke(async () => {}, { request: partOf("2") })).toBe(false);
    expect(ports.runsById.get("run")?.state).toBe("failed");
    await invoke(async () => {}, { request: { runId: "run" } });
    expect(ports.runsById.get("run")?.state).toBe("delivering");
  });

  it("at the last try of the report → its run has failed, and no mail is requested, as none can be sent", async () => {
    await invoke(broken, { stage: "report", receives: stageTries });
    expect(ports.runsById.get("run")).toMatchObject({ state: "failed", failure: { stage: "report" } });
    expect(mailed).toEqual([]);
  });

  it.each<[string, Invocation, () => Promise<void>]>([
    [
      "to mail the failure of another stage",
      { stage: "report", request: { runId: "run", failure: { stage: "upload", reason: "r", at } } },
      broken,
    ],
    [
      "as somebody else is at work",
      {},
      async () => {
        throw new ThrottledError("another invocation uploads", new Date(at));
      },
    ],
  ])("at its last try, %s → comes again, and its run continues", async (_title, invocation, work) => {
    expect(await invoke(work, { ...invocation, receives: stageTries })).toBe(true);
    expect(ports.runsById.get("run")).toEqual(delivering);
    expect(mailed).toEqual([]);
  });
});

describe("a stage whose calls fail", () => {
  it("a call fails twice → retried within the stage, the message does not come again", async () => {
    let failures = 2;
    const { get } = ports.runs;
    const runs = {
      ...ports.runs,
      get: (runId: string) => {
        failures -= 1;
        return failures < 0 ? get(runId) : Promise.reject(new Error("no answer"));
      },
    };
    expect(await invoke(async () => {}, { runs })).toBe(false);
    expect(failures).toBeLessThan(0);
  });
});

describe("a stage that is requested again", () => {
  it.each<[string, Stage, Run["state"]]>([
    ["at which its run stopped → the run is in progress again", "upload", "delivering"],
    ["of a run that stopped at another → the run stays stopped", "archive", "failed"],
  ])("%s", async (_title, stage, state) => {
    ports.runsById.set("run", {
      ...delivering,
      state: "failed",
      failure: { stage: "upload", reason: "the receiver hung up", at },
    });
    const seen: unknown[] = [];
    const work = async ({ runId }: StageRequest) => void seen.push(ports.runsById.get(runId)?.state);
    expect(await invoke(work, { stage })).toBe(false);
    expect(seen).toEqual([state]);
    expect(ports.runsById.get("run")?.state).toBe(state);
  });
});
