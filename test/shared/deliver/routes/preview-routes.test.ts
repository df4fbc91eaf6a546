import { beforeEach, describe, expect, it } from "vitest";
import { previewSubject } from "../../../../shared/deliver/routes/preview-routes.ts";
import { buildRunId, type RunStart } from "../../../../shared/records/runs/run.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const feed = { sourceId: "off", title: "Off", type: "RSS", url: "https://off.example/feed", groupId: "Test" };
const start = {
  deliveryMode: "NONE" as const,
  scheduledTime: "2026-11-20T19:00:00.000Z",
  sourceIds: ["off"],
  newest: 5,
};

let memory: MemoryPorts;
let starts: RunStart[];
beforeEach(() => {
  memory = new MemoryPorts();
  memory.sourcesById.set("off", source.parse(feed));
  starts = [];
});

async function request(path: string, method = "GET") {
  const { sources, runs, records, clock } = memory;
  const runStarts = { send: async (one: RunStart) => void starts.push(one) };
  const app = serve([previewSubject], { sources, runs, records, clock, runStarts });
  const answer = await app.request(path, { method });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("POST /sources/{id}/preview", () => {
  it("a source of any mode → its preview starts; the answer has the path of the result", async () => {
    const { status, body } = await request("/sources/off/preview", "POST");
    expect(status).toBe(202);
    expect(starts).toEqual([start]);
    expect(body).toEqual({ status: "starting", result: `/sources/off/preview/${buildRunId(start)}` });
    expect(await request(body.result as string)).toEqual({
      status: 202,
      body: { status: "starting", result: body.result, records: [], missed: [] },
    });
  });

  it.each([
    ["an unknown source", "/sources/none/preview", 404, /there is no source none/],
    ["an id that none can have", "/sources/A!/preview", 400, /^id: .*"A!"/],
    ["too many items", "/sources/off/preview?items=21", 400, /^items: .*"21"/],
  ])("%s → refused, nothing is begun", async (_what, path, status, error) => {
    const answer = await request(path, "POST");
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(error);
    expect(starts).toEqual([]);
  });
});

describe("GET /sources/{id}/preview/{previewId}", () => {
  const runId = buildRunId(start);
  const path = `/sources/off/preview/${runId}`;

  async function begin(state: "harvesting" | "finished"): Promise<void> {
    const { scheduledTime: startedAt, deliveryMode } = start;
    await memory.runs.create({ runId, deliveryMode, state, startedAt, deadlineAt: startedAt });
  }

  it("while articles are requested → 202 with what there is so far", async () => {
    await begin("harvesting");
    await memory.runs.saveOutcome(runId, {
      requestId: "r",
      sourceId: "off",
      url: "https://off.example/1",
      state: "dropped",
      reason: "no-title: 1",
    });
    const { status, body } = await request(path);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      status: "harvesting",
      result: path,
      records: [],
      missed: [{ url: "https://off.example/1", state: "dropped", reason: "no-title: 1" }],
    });
  });

  it("failed → 200 with the reason", async () => {
    await begin("harvesting");
    const failure = { stage: "validate", reason: "bad rule", at: start.scheduledTime };
    await memory.runs.changeState(runId, ["harvesting"], { state: "failed", failure });
    const { status, body } = await request(path);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "failed", failure });
  });

  it("finished → 200 with each record, its outcome and findings", async () => {
    await begin("finished");
    const record = { leader: "x", control: [], fields: [] };
    const document = {
      requestId: "r",
      sourceId: "off",
      url: "https://off.example/1",
      title: "One",
      state: "converted" as const,
      recordId: "one",
      groupId: "Test",
      hash: "H",
      urls: [],
      archiveKeys: [],
      recordKey: await memory.records.storeMarc("one", record),
      warnings: ["look"],
      provenance: [{ field: "year" as const, value: "2014", witness: "page" as const, others: [] }],
    };
    const finding = { record: "", ruleId: "missing-title", tag: "245", reason: "245 is missing" };
    const none = { keys: [], count: 0 };
    await memory.runs.finishStage(runId, "validate", {
      valid: none,
      onlineFirst: none,
      delinquent: {
        keys: [await memory.runs.storePart(runId, [{ ...document, findings: [finding] }])],
        count: 1,
      },
    });
    const { status, body } = await request(path);
    expect(status).toBe(200);
    expect(body.records).toEqual([
      {
        outcome: "delinquent",
        findings: ["245 is missing [missing-title]"],
        title: "One",
        url: "https://off.example/1",
        hash: "H",
        warnings: ["look"],
        record,
        provenance: document.provenance,
      },
    ]);
  });

  it.each([
    ["of another source", `/sources/other/preview/${runId}`],
    ["of a run that is not a preview", "/sources/off/preview/live-20261120T190000Z"],
    [
      "that has not started in time",
      `/sources/off/preview/${buildRunId({ ...start, scheduledTime: "2026-11-19T19:00:00Z" })}`,
    ],
  ])("an id %s → 404", async (_what, wrong) => {
    expect((await request(wrong)).status).toBe(404);
  });
});
