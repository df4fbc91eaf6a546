import { beforeEach, describe, expect, it } from "vitest";
import { settleResponse } from "../../../../shared/harvest/listing/settle-response.ts";
import type { StageRequest } from "../../../../shared/records/runs/stages.ts";
import {
  partTallyName,
  sourcesTallyName,
  sourceTallyName,
} from "../../../../shared/records/runs/tally-names.ts";
import { type InboundResponse, inboundResponse } from "../../../../shared/web/request/response.ts";
import { MemoryPorts } from "../../memory-ports.ts";

let memory: MemoryPorts;
let delivered: StageRequest[];
const runId = "live-20261120T190000Z";

beforeEach(async () => {
  memory = new MemoryPorts();
  delivered = [];
  const [startedAt, deadlineAt] = ["2026-11-20T19:00:00Z", "2026-11-20T22:00:00Z"];
  await memory.runs.create({ runId, deliveryMode: "LIVE", state: "harvesting", startedAt, deadlineAt });
  await memory.runs.updateTally(runId, sourcesTallyName, { opened: ["s"] });
});

function response(kind: "feed" | "article", part?: string): InboundResponse {
  const context = { runId, sourceId: "s", ...(part !== undefined && { part }) };
  return inboundResponse.parse({
    request: { id: "r", kind, url: "https://a.example/x", context },
    outcome: {
      type: "answered",
      status: 200,
      url: "https://a.example/x",
      hops: [],
      headers: {},
      elapsedMs: 1,
    },
  });
}

const ports = () => ({
  runs: memory.runs,
  delivery: { send: async (message: StageRequest) => void delivered.push(message) },
});

describe("a response that its reader cannot process", () => {
  it("the reader can end its request → it does, as without a response", async () => {
    const read: InboundResponse[] = [];
    await settleResponse(
      { response: response("feed"), reason: "bad bytes" },
      async (given) => void read.push(given),
      ports(),
    );
    expect(read).toMatchObject([
      { request: { id: "r" }, outcome: { type: "refused", reason: "unprocessed", detail: "bad bytes" } },
    ]);
  });

  it.each([
    ["feed", undefined],
    ["article", "list.0"],
  ] as const)(
    "the reader of the kind %s fails again → its outcome is stored, and the source is closed",
    async (kind, part) => {
      const tally = part === undefined ? sourceTallyName("s") : partTallyName("s", part);
      await memory.runs.updateTally(runId, tally, { opened: ["r"] });
      if (part !== undefined) await memory.runs.updateTally(runId, sourceTallyName("s"), { opened: [part] });
      const settle = () =>
        settleResponse(
          { response: response(kind, part), reason: "bad bytes" },
          async () => {
            throw new Error("again");
          },
          ports(),
        );
      await settle();
      // It may be repeated.
      await settle();
      const reason = "its response could not be processed: bad bytes";
      if (kind === "feed")
        expect(await memory.runs.sourceOutcome(runId, "s")).toMatchObject({ state: "failed", reason });
      else expect([...memory.documentOutcomes.values()]).toMatchObject([{ state: "failed", reason }]);
      expect(await memory.runs.openIds(runId, sourcesTallyName)).toEqual([]);
      expect(delivered[0]).toEqual({ runId });
    },
  );
});
