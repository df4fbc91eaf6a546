import { beforeEach, describe, expect, it } from "vitest";
import { sourceRunSubject } from "../../../../shared/deliver/routes/source-run-routes.ts";
import { buildRunId, type RunStart, runStart } from "../../../../shared/records/runs/run.ts";
import { startRunNow } from "../../../../shared/records/runs/start-run-now.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { sourceOutcome } from "../../records/runs/source-outcome.ts";
import { deliver, harvested, ordinary, runStage } from "../run-world.ts";

let memory: MemoryPorts;
let starts: RunStart[];
beforeEach(() => {
  memory = new MemoryPorts();
  starts = [];
  for (const [sourceId, deliveryMode] of [
    ["j", "LIVE"],
    ["t", "TEST"],
  ]) {
    const value = { sourceId, title: "J", type: "RSS", url: "https://j.example/feed", groupId: "Test" };
    memory.sourcesById.set(sourceId as string, source.parse({ ...value, deliveryMode }));
  }
});

async function request(path: string, body?: unknown) {
  const { runs, sourceRuns, sources, clock, leases } = memory;
  const runStarts = {
    send: async (start: RunStart) => void starts.push(runStart.parse(start)),
  };
  const ports = {
    runs,
    sourceRuns,
    sources,
    clock,
    leases,
    runStarts,
    delivery: { send: async () => {} },
    runDeadlineMinutes: 60,
    softDeadlineMinutes: 0,
  };
  const app = serve([sourceRunSubject], ports);
  const answer = await app.request(path, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  return {
    status: answer.status,
    location: answer.headers.get("location"),
    body: JSON.parse(await answer.text()),
  };
}

describe("POST /runs", () => {
  it("a mode → a run of all its sources, which can be asked for at once", async () => {
    memory.now = new Date("2026-11-20T10:11:12.345Z");
    const { status, location, body } = await request("/runs", { mode: "LIVE" });
    const runId = "live-20261120T101112Z";
    expect([status, location]).toEqual([202, `/runs/${runId}`]);
    expect(body).toEqual({ status: "running", runId, result: `/runs/${runId}` });
    expect(starts).toEqual([{ deliveryMode: "LIVE", scheduledTime: "2026-11-20T10:11:12.000Z" }]);
    expect(memory.runsById.get(runId)).toEqual({
      runId,
      deliveryMode: "LIVE",
      state: "starting",
      startKey: expect.stringMatching(/^run-now#LIVE#/),
      startedAt: "2026-11-20T10:11:12.345Z",
      deadlineAt: "2026-11-20T11:11:12.345Z",
    });
  });

  it("of other sources in one second, at the end of a minute → two runs, neither of them the schedule's", async () => {
    memory.now = new Date("2026-11-20T18:59:59.900Z");
    await request("/runs", { mode: "LIVE", sourceIds: ["j"] });
    await request("/runs", { mode: "LIVE" });
    expect(starts.map(({ scheduledTime }) => scheduledTime)).toEqual([
      "2026-11-20T18:59:59.000Z",
      "2026-11-20T19:00:01.000Z",
    ]);
    expect([...memory.runsById.keys()]).toEqual(["live-20261120T185959Z", "live-20261120T190001Z"]);
  });

  it.each([[{ mode: "LIVE" }], [{ mode: "LIVE", sourceIds: ["j"] }]])(
    "%j by many at once → one run, whose id all of them get",
    async (body) => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => request("/runs", body)));
      expect(new Set(answers.map((answer) => answer.location)).size).toBe(1);
      expect(answers.filter((answer) => answer.body.isUnderWay === undefined)).toHaveLength(1);
      expect(memory.runsById.size).toBe(1);
      expect(new Set(starts.map(({ scheduledTime }) => scheduledTime)).size).toBe(1);
    },
  );

  it("another start takes the second that the lease of a killed one names → a run of its own sources", async () => {
    memory.now = new Date("2026-11-20T10:11:12Z");
    const { body: killed } = await request("/runs", { mode: "LIVE", sourceIds: ["j"] });
    // Its lease is left; its run was never created.
    memory.runsById.delete(killed.runId);
    const { body: all } = await request("/runs", { mode: "LIVE" });
    expect(all.runId).toBe(killed.runId);
    starts.length = 0;
    const { body } = await request("/runs", { mode: "LIVE", sourceIds: ["j"] });
    expect(body.isUnderWay).toBeUndefined();
    expect(body.runId).not.toBe(all.runId);
    expect(starts).toEqual([
      { deliveryMode: "LIVE", sourceIds: ["j"], scheduledTime: "2026-11-20T10:11:13.000Z" },
    ]);
  });

  it("while the first one reads → its id; when it delivers → another run", async () => {
    const { body: first } = await request("/runs", { mode: "LIVE" });
    const run = memory.runsById.get(first.runId);
    for (const state of ["harvesting", "delivering"] as const) {
      memory.now = new Date(memory.now.getTime() + 60_000);
      if (run !== undefined) memory.runsById.set(first.runId, { ...run, state });
      const { body } = await request("/runs", { mode: "LIVE" });
      expect([state, body.runId === first.runId]).toEqual([state, state === "harvesting"]);
    }
    expect(memory.runsById.size).toBe(2);
  });

  it("while the run of the schedule reads all sources → its id; of one source → a run of its own", async () => {
    harvested(memory, "live-20261120T190000Z", []);
    memory.now = new Date("2026-11-20T19:10:00Z");
    expect((await request("/runs", { mode: "LIVE" })).body).toMatchObject({
      runId: "live-20261120T190000Z",
      isUnderWay: true,
    });
    expect((await request("/runs", { mode: "LIVE", sourceIds: ["j"] })).body.isUnderWay).toBeUndefined();
  });

  it("killed at any write → the next one has the same run, and it is started", async () => {
    for (let writes = 0; writes < 2; writes += 1) {
      memory = new MemoryPorts();
      const { runs, clock, leases } = memory;
      starts = [];
      let isDead = true;
      const runStarts = {
        send: async (start: RunStart) => {
          if (isDead) throw new Error("killed");
          starts.push(start);
        },
      };
      const settings = { runDeadlineMinutes: 180, softDeadlineMinutes: 60 };
      const ports = { runs, clock, leases, runStarts, ...settings };
      if (writes === 0) memory.dieAfter(1, { before: false });
      await startRunNow({ deliveryMode: "LIVE" }, ports).catch(() => {});
      memory.live();
      isDead = false;
      memory.now = new Date(memory.now.getTime() + 5_000);
      const { run } = await startRunNow({ deliveryMode: "LIVE" }, ports);
      expect([...memory.runsById.keys()]).toEqual([run.runId]);
      expect(
        starts.map(({ deliveryMode, scheduledTime }) => buildRunId({ deliveryMode, scheduledTime })),
      ).toEqual([run.runId]);
    }
  });

  it.each([
    [{ mode: "LIVE", sourceIds: ["j", "x"] }, /^sourceIds\.1: there is no such source.*"x"/],
    [{ mode: "LIVE", sourceIds: ["t"] }, /^sourceIds\.0: is a source of the mode TEST, not LIVE.*"t"/],
    [{ mode: "LIVE", sourceIds: [] }, /^sourceIds/],
    [{ mode: "NONE" }, /^mode: .*"NONE"/],
    [{ mode: "LIVE", newest: 3 }, /newest/],
  ])("%j → 400 and no run", async (body, error) => {
    const answer = await request("/runs", body);
    expect([answer.status, starts, memory.runsById.size]).toEqual([400, [], 0]);
    expect(answer.body.detail).toMatch(error);
  });
});

const runId = "live-20261120T190000Z";

describe("GET /runs/{id}/articles", () => {
  beforeEach(async () => {
    harvested(memory, runId, [
      ...ordinary,
      { id: "d", urls: ["https://journal.example/d"], title: "" },
      { id: "e", urls: ["https://journal.example/e"], isOnlineFirst: true },
      { id: "f", urls: ["https://journal.example/f"], doi: "10.5555/a" },
    ]);
    memory.listings.set(
      `${runId} source`,
      sourceOutcome({
        sourceId: "source",
        entries: 8,
        requested: 7,
        dropped: [{ entry: "<item/>", reason: "no link" }],
      }),
    );
    const miss = { state: "failed" as const, requestId: "g", sourceId: "source", url: "https://g.example/" };
    memory.documentOutcomes.set(`${runId} source g`, { ...miss, reason: "HTTP 500" });
    const other = { ...miss, sourceId: "source-2", reason: "HTTP 404" };
    memory.documentOutcomes.set(`${runId} source-2 g`, other);
    await deliver(runId, memory);
  });

  it("of a source → each article once, with what became of it and why", async () => {
    const { body } = await request(`/runs/${runId}/articles?source=source`);
    expect(body).toEqual({
      articles: [
        { outcome: "unusable", title: "<item/>", reason: "no link" },
        ...["a", "b", "c"].map((id) =>
          expect.objectContaining({ outcome: "delivered", url: `https://journal.example/${id}` }),
        ),
        expect.objectContaining({ outcome: "refused", reason: "subfield 245$a is missing [missing-title]" }),
        expect.objectContaining({ outcome: "onlineFirst", reason: "without volume and issue" }),
        expect.objectContaining({
          outcome: "duplicates",
          reason: expect.stringMatching(/^doi:10.5555\/a is that of record a /),
        }),
        { outcome: "unreachable", url: "https://g.example/", reason: "HTTP 500" },
      ],
    });
  });

  it("by finding, witness and field → the articles whose records have such an origin", async () => {
    const origins: Record<string, object> = {
      a: { origin: { witnesses: { year: "crossref" }, disagreements: [] } },
      b: {
        origin: { witnesses: {}, disagreements: ["title"] },
        originFindings: [{ ruleId: "witnesses-disagree", tag: "245", reason: "title" }],
      },
      c: { originFindings: [{ ruleId: "article-retracted", tag: "024", reason: "Retraction" }] },
    };
    for (const [key, outcome] of memory.documentOutcomes) {
      memory.documentOutcomes.set(key, { ...outcome, ...origins[outcome.url.slice(-1)] });
    }
    const urlsOf = async (query: string) => {
      const { body } = await request(`/runs/${runId}/articles?source=source&${query}`);
      return body.articles.map(({ url }: { url: string }) => url.slice(-1));
    };
    expect(await urlsOf("witness=crossref")).toEqual(["a"]);
    expect(await urlsOf("witness=crossref&field=year")).toEqual(["a"]);
    expect(await urlsOf("witness=crossref&field=title")).toEqual([]);
    expect(await urlsOf("finding=witnesses-disagree")).toEqual(["b"]);
    expect(await urlsOf("finding=witnesses-disagree&field=title")).toEqual(["b"]);
    expect(await urlsOf("finding=witnesses-disagree&field=year")).toEqual([]);
    expect(await urlsOf("finding=article-retracted&outcome=delivered")).toEqual(["c"]);
    const { body } = await request(`/runs/${runId}/articles?source=source&finding=article-retracted`);
    expect(body.articles).toEqual([
      expect.objectContaining({ originFindings: [expect.objectContaining({ ruleId: "article-retracted" })] }),
    ]);
  });

  it("pages, and one outcome → each article once", async () => {
    const found: string[] = [];
    let after = "";
    do {
      const { body } = await request(`/runs/${runId}/articles?source=source&limit=3${after}`);
      found.push(...body.articles.map(({ outcome }: { outcome: string }) => outcome));
      after = body.next === undefined ? "" : `&after=${body.next}`;
    } while (after !== "");
    expect(found).toEqual([
      "unusable",
      "delivered",
      "delivered",
      "delivered",
      "refused",
      "onlineFirst",
      "duplicates",
      "unreachable",
    ]);
    const { body } = await request(`/runs/${runId}/articles?source=source&outcome=delivered&limit=2`);
    expect(body.articles).toHaveLength(2);
    const last = await request(
      `/runs/${runId}/articles?source=source&outcome=delivered&limit=2&after=${body.next}`,
    );
    expect(last.body.articles).toMatchObject([{ url: "https://journal.example/c" }]);
    expect(last.body).not.toHaveProperty("next");
  });

  it.each([
    ["/runs/live-20260101T000000Z/articles?source=s", 404, /no run live-20260101/],
    [`/runs/${runId}/articles`, 400, /^source: /],
    [`/runs/${runId}/articles?source=s&witness=page`, 400, /^witness: .*"page"/],
    [`/runs/${runId}/articles?source=s&field=colour`, 400, /^field: .*"colour"/],
    [`/runs/${runId}/articles?source=s&outcome=lost`, 400, /^outcome: .*"lost"/],
    [`/runs/${runId}/articles?source=s&after=-1`, 400, /^after: .*"-1"/],
  ])("%s → %i", async (path, status, error) => {
    const answer = await request(path);
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(error);
  });
});

describe("GET /sources/{id}/runs", () => {
  it("after reports, one of them read twice → each run once, newest first, in pages", async () => {
    const ids = ["live-20261120T190000Z", "live-20261121T190000Z", "live-20261122T190000Z"];
    for (const [day, id] of ids.entries()) {
      harvested(memory, id, day === 1 ? ordinary : []);
      const outcome = { title: "S", state: "read" as const, entries: 3, known: { delivered: 2 } };
      memory.listings.set(`${id} source`, { sourceId: "source", ...outcome, requested: 3, dropped: [] });
      const run = memory.runsById.get(id);
      if (run !== undefined) memory.runsById.set(id, { ...run, startedAt: `2026-11-2${day}T19:00:00.000Z` });
      await deliver(id, memory);
    }
    const { body } = await request("/sources/source/runs?limit=2");
    expect(body.runs).toMatchObject([
      { runId: ids[2], delivered: 0 },
      { runId: ids[1], delivered: 3, refused: 0, known: 2, state: "read" },
    ]);
    const last = await request(`/sources/source/runs?limit=2&after=${encodeURIComponent(body.next)}`);
    expect(last.body).toMatchObject({ runs: [{ runId: ids[0] }] });
    expect(last.body).not.toHaveProperty("next");
    await runStage("report", { runId: ids[2] as string }, memory);
    expect(memory.sourceRunsByKey.size).toBe(3);
  });

  it.each([
    ["/sources/none/runs", 200, undefined],
    ["/sources/j/runs?after=yesterday", 400, /^after: .*"yesterday"/],
  ])("%s → %i", async (path, status, error) => {
    const answer = await request(path);
    expect(answer.status).toBe(status);
    if (error !== undefined) expect(answer.body.detail).toMatch(error);
  });
});
