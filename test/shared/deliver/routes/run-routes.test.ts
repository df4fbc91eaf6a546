import { beforeEach, describe, expect, it } from "vitest";
import { runSubject } from "../../../../shared/deliver/routes/run-routes.ts";
import type { DocumentOutcome, Run, SourceOutcome } from "../../../../shared/records/runs/run.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { deliver, fail, harvested, ordinary, runStage } from "../run-world.ts";

const runId = "live-20261120T190000Z";

let memory: MemoryPorts;
beforeEach(() => {
  memory = new MemoryPorts();
});

async function request(path: string) {
  const app = serve([runSubject], memory);
  const answer = await app.request(path);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

function addSource(sourceId: string, outcome: Partial<SourceOutcome> = {}): void {
  const read = { title: `On ${sourceId}`, state: "read" as const, entries: 0, known: {}, requested: 0 };
  memory.listings.set(`${runId} ${sourceId}`, { sourceId, ...read, dropped: [], ...outcome });
}

function addMisses(sourceId: string, count: number): void {
  for (let n = 0; n < count; n += 1) {
    const url = `https://journal.example/${n}`;
    const miss: DocumentOutcome = {
      state: "failed",
      requestId: `${n}`,
      sourceId,
      url,
      reason: "x".repeat(5000),
    };
    memory.documentOutcomes.set(`${runId} ${sourceId} ${n}`, miss);
  }
}

describe("GET /runs", () => {
  const started = (hour: string, deliveryMode: Run["deliveryMode"] = "LIVE"): Run => {
    const startedAt = `2026-11-20T${hour}:00:00.000Z`;
    const id = `${deliveryMode.toLowerCase()}-20261120T${hour}0000Z`;
    return { runId: id, deliveryMode, state: "finished", startedAt, deadlineAt: startedAt };
  };

  beforeEach(() => {
    const runs = [started("10"), started("12"), started("11"), started("13", "TEST"), started("14", "NONE")];
    for (const run of runs) memory.runsById.set(run.runId, run);
  });

  it("without parameters → the live runs, newest first", async () => {
    const { body } = await request("/runs");
    expect(body).toEqual({ runs: [started("12"), started("11"), started("10")] });
  });

  it("started by an operator → neither the list nor the report shows the key of the start", async () => {
    const run = started("15");
    memory.runsById.set(run.runId, { ...run, startKey: "run-now#LIVE#x" });
    const { body } = await request("/runs");
    expect(body.runs[0]).toEqual(run);
    expect((await request(`/runs/${run.runId}`)).body).not.toHaveProperty("startKey");
  });

  it("of another mode → its runs alone", async () => {
    expect((await request("/runs?mode=TEST")).body).toEqual({ runs: [started("13", "TEST")] });
  });

  it("pages → each run once, and no page after the last", async () => {
    const first = (await request("/runs?limit=2")).body;
    expect(first).toEqual({ runs: [started("12"), started("11")], next: started("11").runId });
    expect((await request(`/runs?limit=2&after=${first.next}`)).body).toEqual({ runs: [started("10")] });
  });

  it.each([
    ["/runs?limit=0", /^limit: .*"0"/],
    ["/runs?mode=NONE", /^mode: .*"NONE"/],
    ["/runs?after=yesterday", /^after: .*"yesterday"/],
    ["/runs?after=live-20260101T000000Z", /^after: .*not a run of the mode LIVE.*"live-20260101T000000Z"/],
    ["/runs?after=test-20261120T130000Z", /^after: .*not a run of the mode LIVE.*"test-20261120T130000Z"/],
  ])("%s → 400 with the field and its value", async (path, error) => {
    const { status, body } = await request(path);
    expect(status).toBe(400);
    expect(body.detail).toMatch(error);
  });
});

describe("GET /runs/{id}", () => {
  it("finished → what its mail says: state, totals, files, and the figures of its sources", async () => {
    harvested(memory, runId, [...ordinary, { id: "d", urls: ["https://journal.example/d"], title: "" }]);
    addSource("source", { entries: 9, requested: 4, known: { delivered: 3, waiting: 1 } });
    const url = "https://journal.example/e";
    const ignored: DocumentOutcome = {
      state: "known",
      requestId: "e",
      sourceId: "source",
      url,
      as: "delivered",
    };
    memory.documentOutcomes.set(`${runId} source e`, ignored);
    await deliver(runId, memory);
    const { status, body } = await request(`/runs/${runId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      runId,
      deliveryMode: "LIVE",
      state: "finished",
      totals: { delivered: 3, delinquent: 1, refusedBefore: 0, knownToArchive: { delivered: 4, waiting: 1 } },
      files: [
        { groupId: "Test", kind: "valid", fileName: "Test_zotero_261120_001.xml", records: 2 },
        { groupId: "Other", kind: "valid", fileName: "Other_zotero_261120_001.xml", records: 1 },
        { groupId: "Test", kind: "delinquent", records: 1 },
      ],
      overdue: [],
    });
    expect(body.files[0]).not.toHaveProperty("documents");
    expect(body.sources).toEqual([
      {
        sourceId: "source",
        title: "On source",
        state: "read",
        entries: 9,
        listed: 9,
        known: { delivered: 4, waiting: 1 },
        requested: 4,
        read: 5,
        converted: 4,
        delivered: 3,
        undelivered: 0,
        duplicates: { count: 0, first: [] },
        alike: { count: 0, first: [] },
        refusedBefore: { count: 0, first: [] },
        onlineFirst: 0,
        released: 0,
        unanswered: 0,
        delinquent: {
          count: 1,
          first: [
            {
              what: "",
              url: "https://journal.example/d",
              reason: "subfield 245$a is missing [missing-title]",
            },
          ],
        },
        unusable: { count: 0, first: [] },
        unreachable: { count: 0, first: [] },
        warnings: { count: 0, first: [] },
      },
    ]);
  });

  it("finished → the report as it was mailed, without reading again what the run has found", async () => {
    harvested(memory, runId, [...ordinary, { id: "d", urls: ["https://journal.example/d"], title: "" }]);
    addSource("source", { entries: 9, requested: 4 });
    await deliver(runId, memory);
    const { body } = await request(`/runs/${runId}`);
    expect(body.sources).toMatchObject([{ entries: 9, delivered: 3, delinquent: { count: 1 } }]);
    memory.listings.clear();
    memory.documentOutcomes.clear();
    expect((await request(`/runs/${runId}`)).body).toEqual(body);
  });

  it.each([
    ["outcome=unreachable", ["b"]],
    ["outcome=failed", ["c"]],
    ["outcome=refused", []],
    ["outcome=delivered", []],
    ["q=ON%20b", ["b"]],
    ["source=a", ["a"]],
    ["source=", []],
  ])("%s → the sources that it leaves", async (query, expected) => {
    harvested(memory, runId, []);
    for (const id of ["a", "b", "c"]) addSource(id, id === "c" ? { state: "failed" } : {});
    addMisses("b", 1);
    const { body } = await request(`/runs/${runId}?${query}`);
    expect(body.sources.map(({ sourceId }: { sourceId: string }) => sourceId)).toEqual(expected);
  });

  it("stopped → the failure, and what there is so far", async () => {
    harvested(memory, runId, ordinary);
    addSource("source", { requested: 3 });
    await runStage("validate", { runId }, memory);
    await fail("upload", memory, { runId, reason: "no space" });
    const { body } = await request(`/runs/${runId}`);
    expect(body).toMatchObject({ state: "failed", failure: { stage: "upload", reason: "no space" } });
    expect(body).toMatchObject({ files: [], totals: { converted: 3, delivered: 0, undelivered: 3 } });
    expect(body).not.toHaveProperty("overdue");
  });

  it("a receiver that refuses files → its files and records wait, others are delivered", async () => {
    harvested(memory, runId, ordinary);
    addSource("source", { requested: 3 });
    await runStage("validate", { runId }, memory);
    const problem = "isil: must be there";
    memory.unusableGroups.push({ groupId: "Other", problem });
    await expect(runStage("upload", { runId }, memory)).rejects.toThrow(problem);
    const { body } = await request(`/runs/${runId}`);
    expect(body.totals).toMatchObject({ delivered: 2, undelivered: 1 });
    expect(body.waitingFiles).toMatchObject([{ fileName: "Other_zotero_261120_001.xml", records: 1 }]);
    expect(body.files).toMatchObject([{ fileName: "Test_zotero_261120_001.xml" }]);
  });

  const cased = "; addresses that differ in case alone count as one";
  it.each([
    ["its DOI", "https://doi.org/10.5555/A/", "doi:10.5555/a", ordinary[0]?.urls[0], ""],
    ["its address", "http://j.example/p/abc9/", "url:j.example/p/abc9", "https://j.example/p/abc9", ""],
    [
      "its address in other case",
      "https://j.example/p/Abc9",
      "url:j.example/p/abc9",
      "https://j.example/p/abc9",
      cased,
    ],
  ])(
    "%s is that of another record → the reason names the record, and the key in the archive",
    async (_what, url, key, other, note) => {
      const mine = { id: "c9", urls: ["https://j.example/p/abc9"] };
      harvested(memory, runId, [...ordinary, mine, { id: "d", urls: [url] }]);
      addSource("source");
      await deliver(runId, memory);
      const { body } = await request(`/runs/${runId}`);
      const { count, first } = body.sources[0].duplicates;
      expect(count).toBe(1);
      expect(first[0].reason).toMatch(
        new RegExp(`^${key} is that of record \\w+ ".*" <${other}> of this run${note}$`),
      );
    },
  );

  it("pages → each source once, in the order of the ids, whatever their titles", async () => {
    harvested(memory, runId, []);
    for (const [index, id] of ["b", "c", "a"].entries()) addSource(id, { title: `${3 - index}` });
    const page = async (query: string) => {
      const { body } = await request(`/runs/${runId}${query}`);
      return [body.sources.map(({ sourceId }: { sourceId: string }) => sourceId), body.next];
    };
    expect(await page("?limit=2")).toEqual([["a", "b"], "b"]);
    expect(await page("?limit=2&after=b")).toEqual([["c"], undefined]);
    const { status, body } = await request(`/runs/${runId}?after=bb`);
    expect([status, body.detail]).toEqual([400, 'after: is not a source of the run (got "bb")']);
  });

  it("more misses than an answer holds → all counted, the first shown, cut to a readable length", async () => {
    harvested(memory, runId, []);
    const ids = Array.from({ length: 100 }, (_, n) => `s${n}`);
    for (const id of ids) {
      addSource(id, { reason: "y".repeat(5000) });
      addMisses(id, 30);
    }
    const { body } = await request(`/runs/${runId}`);
    const [{ unreachable, reason }] = body.sources;
    expect([unreachable.count, unreachable.first.length]).toEqual([30, 20]);
    expect([unreachable.first[0].reason.length, reason.length]).toEqual([300, 300]);
  });

  it.each([
    [`/runs/${runId}`, 404, new RegExp(`no run ${runId}`)],
    ["/runs/none-20261120T190000Z-abc", 400, /^id: .*"none-/],
    [`/runs/${runId}?limit=501`, 400, /^limit: .*"501"/],
    [`/runs/${runId}?state=failed`, 400, /state/],
  ])("%s → %i", async (path, status, error) => {
    const answer = await request(path);
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toMatch(error);
  });
});
