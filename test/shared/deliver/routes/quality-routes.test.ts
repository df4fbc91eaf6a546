import { beforeEach, describe, expect, it } from "vitest";
import { judgeRun } from "../../../../shared/deliver/quality/drift.ts";
import { measurePart, RunQuality } from "../../../../shared/deliver/quality/figures.ts";
import { qualitySubject } from "../../../../shared/deliver/routes/quality-routes.ts";
import type { DataField } from "../../../../shared/marc/record.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";

let memory: MemoryPorts;
beforeEach(() => {
  memory = new MemoryPorts();
  memory.now = new Date("2026-11-20T12:00:00Z");
  const value = { sourceId: "j", title: "J", type: "RSS", url: "https://j.example/feed", groupId: "Test" };
  memory.sourcesById.set("j", source.parse({ ...value, deliveryMode: "LIVE" }));
});

async function request(path: string, body?: unknown) {
  const { quality, sources, clock } = memory;
  const answer = await serve([qualitySubject], { quality, sources, clock }).request(path, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** A run, so many days ago, with records of which so many have an abstract. */
async function saveRun(daysAgo: number, { of, has }: { of: number; has: number }): Promise<void> {
  const startedAt = new Date(memory.now.getTime() - daysAgo * 86_400_000).toISOString();
  const run = new RunQuality();
  const abstract: DataField = ["520", "  ", [["a", "A".repeat(100)]]];
  const records = Array.from({ length: of }, (_, at) => ({
    sourceId: "j",
    record: { leader: "", control: [], fields: at < has ? [abstract] : [] },
  }));
  run.add(measurePart(records, 2026));
  const figures = run.figures().j ?? { records: 0, fields: {} };
  const quality = { sourceId: "j", runId: `r${daysAgo}`, startedAt, ...figures };
  const earlier = await memory.quality.latest("j", { limit: 100, before: quality });
  await memory.quality.save(quality);
  const known = await memory.quality.drifts("j");
  const judged = judgeRun(quality, earlier, { known, title: "J" });
  if (judged !== undefined) await memory.quality.saveDrifts(judged);
}

const fieldOf = (body: { fields: { field: string }[] }, name: string) =>
  body.fields.find(({ field }) => field === name);

describe("GET /sources/{id}/quality", () => {
  it("a source without records → every field, with zeros", async () => {
    const { status, body } = await request("/sources/j/quality");
    expect([status, body.runs, body.drifts, body.fields.length]).toEqual([200, [], [], 15]);
    const none = { of: 0, has: 0, repeated: 0 };
    expect(fieldOf(body, "abstract")).toEqual({
      ...{ field: "abstract", place: "520", now: none, days30: none, days90: none },
    });
  });

  it("runs of months → the last one, 30 days and 90 days, with the drift", async () => {
    await saveRun(100, { of: 50, has: 50 });
    await saveRun(60, { of: 20, has: 20 });
    await saveRun(10, { of: 10, has: 10 });
    await saveRun(1, { of: 8, has: 0 });
    const { body } = await request("/sources/j/quality");
    expect(fieldOf(body, "abstract")).toMatchObject({
      now: { of: 8, has: 0, repeated: 0 },
      days30: { of: 18, has: 10, repeated: 10, medianLength: 108 },
      days90: { of: 38, has: 30, repeated: 30 },
    });
    expect(fieldOf(body, "doi")).toMatchObject({ days90: { of: 38, has: 0 } });
    expect(
      body.runs.map(({ runId, has }: { runId: string; has: { abstract: number } }) => [runId, has.abstract]),
    ).toEqual([
      ["r60", 20],
      ["r10", 10],
      ["r1", 0],
    ]);
    expect(body.drifts).toMatchObject([
      { field: "abstract", place: "520", now: { has: 0, of: 8 }, before: { has: 30, of: 30 } },
    ]);
  });

  it.each(["GET", "POST"])("%s of an unknown source → 404", async (method) => {
    const answer =
      method === "GET"
        ? await request("/sources/none/quality")
        : await request("/sources/none/quality/drifts", { driftId: "d", decision: "accept" });
    expect(answer).toMatchObject({ status: 404, body: { field: "id", value: "none" } });
  });
});

describe("POST /sources/{id}/quality/drifts", () => {
  it("accept, again, and reopen → decided by the caller, once, and undone", async () => {
    for (const day of [30, 20, 10]) await saveRun(day, { of: 10, has: 10 });
    await saveRun(1, { of: 8, has: 0 });
    const driftId = memory.driftsById.get("j")?.drifts[0]?.driftId ?? "";
    const decide = (decision: string) => request("/sources/j/quality/drifts", { driftId, decision });
    const accepted = async () => (await request("/sources/j/quality")).body.drifts[0].accepted;
    for (const _ of [1, 2]) expect(await decide("accept")).toEqual({ status: 204, body: undefined });
    expect(await accepted()).toEqual({ at: memory.now.toISOString(), by: expect.any(String) });
    expect(memory.driftsById.get("j")?.revision).toBe(5);
    expect((await decide("reopen")).status).toBe(204);
    expect(await accepted()).toBeUndefined();
  });

  it("another drift → 409 that names it", async () => {
    expect(await request("/sources/j/quality/drifts", { driftId: "d", decision: "accept" })).toMatchObject({
      status: 409,
      body: { field: "driftId", value: "d" },
    });
  });
});
