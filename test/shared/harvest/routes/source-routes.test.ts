import { beforeEach, describe, expect, it } from "vitest";
import { sourceSubject } from "../../../../shared/harvest/routes/source-routes.ts";
import type { ListedDocument } from "../../../../shared/records/documents/document.ts";
import { keepDocuments } from "../../../../shared/records/documents/keep-documents.ts";
import { importConfiguration } from "../../../../shared/records/sources/conf/import-configuration.ts";
import { readingOf } from "../../../../shared/records/sources/reading.ts";
import { source } from "../../../../shared/records/sources/source.ts";
import { sourceTypes } from "../../../../shared/records/sources/source-type.ts";
import { serve } from "../../api/serve.ts";
import { MemoryPorts } from "../../memory-ports.ts";
import { configuration, journal } from "../../records/sources/fixtures.ts";
import { MemoryConfiguration } from "../../records/sources/memory-configuration.ts";

const now = () => new Date("2026-11-20T10:00:00Z");
const clock = { now, sleep: () => Promise.resolve() };
const ini = `${configuration(journal)}[Another]\n${journal.join("\n").replace("4711", "4712")}\n`;
const take = (text = ini) =>
  importConfiguration(
    { ini: text, files: {} },
    { configuration: store, leases: store.leases, quality: store.quality },
    {
      dryRun: false,
      allowRemovals: false,
      isStrict: false,
      by: "a test",
      now,
    },
  );

let store: MemoryConfiguration;
let published: { type: string; changeId: string; detail: object }[];
let withdrawn: string[];
let ended: string[];
let forgotten: string[];
let deletions: object[];
let memory: MemoryPorts;
let unavailable: string[];
beforeEach(async () => {
  store = new MemoryConfiguration();
  published = [];
  withdrawn = [];
  ended = [];
  forgotten = [];
  deletions = [];
  memory = new MemoryPorts();
  unavailable = [];
  await take();
});

async function request(path: string, change?: unknown, method = "PATCH") {
  const app = serve([sourceSubject], {
    configuration: store,
    events: { publish: async (event: (typeof published)[number]) => void published.push(event) },
    setRegistrations: { send: async ({ sourceId }: { sourceId: string }) => void withdrawn.push(sourceId) },
    harvests: { end: async (sourceId: string) => void ended.push(sourceId) },
    quality: { forget: async (sourceId: string) => void forgotten.push(sourceId) },
    documentDeletions: { send: async (message: object) => void deletions.push(message) },
    documents: memory.documents,
    clock,
    status: memory.status,
    runs: memory.runs,
    unavailableHosts: async () =>
      unavailable.map((hostKey) => ({ hostKey, what: hostKey, until: "2026-11-20T11:00:00Z", reason: "" })),
  });
  const init = { method, ...(method !== "DELETE" && { body: JSON.stringify(change) }) };
  const answer = await app.request(path, change === undefined && method !== "DELETE" ? {} : init);
  const text = await answer.text();
  const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  return { status: answer.status, body };
}

const one = "/sources/ixtheo-4711";

describe("GET /sources", () => {
  it("pages → by id, with the fields beyond the file", async () => {
    await request(one, { crawl: { sitemaps: true } });
    const first = await request("/sources?limit=1");
    expect(first.body).toEqual({
      sources: [
        {
          sourceId: "ixtheo-4711",
          title: "A journal : of tests",
          type: "RSS",
          url: "https://example.org/feed",
          groupId: "IxTheo",
          deliveryMode: "NONE",
          paused: false,
          obeyRobots: true,
          crawl: { maxPages: 1000, sitemaps: true },
          deletions: { maxDocuments: 20, maxPercent: 5 },
        },
      ],
      next: "ixtheo-4711",
    });
    const { body } = await request("/sources?limit=1&after=ixtheo-4711");
    expect(body).toEqual({ sources: [expect.objectContaining({ sourceId: "ixtheo-4712" })] });
  });

  it.each(["1234-5679", "12345679", "1234-567", "journal 9876-543x"])(
    "q=%s → the source that has the ISSN",
    async (q) => {
      const base = {
        title: "Journal of ISSNs",
        type: "RSS",
        url: "https://i.example/",
        groupId: "IxTheo",
      };
      const editions = { online: { issn: "1234-5679", ppn: "1" }, print: { issn: "9876-543X", ppn: "2" } };
      expect((await request("/sources", { sourceId: "issn", ...base, ...editions }, "POST")).status).toBe(
        201,
      );
      expect(await ids(`q=${encodeURIComponent(q)}`)).toEqual(["issn"]);
    },
  );

  const ids = async (query: string) =>
    ((await request(`/sources?${query}`)).body.sources as { sourceId: string }[]).map(
      ({ sourceId }) => sourceId,
    );

  it.each([
    ["q=another", ["ixtheo-4712"]],
    ["q=EXAMPLE.org%20journal", ["ixtheo-4711"]],
    ["q=example.org", ["ixtheo-4711", "ixtheo-4712"]],
    ["q=nowhere", []],
    ["mode=LIVE", []],
    ["mode=NONE&type=RSS&limit=1&after=ixtheo-4711", ["ixtheo-4712"]],
    ["type=CRAWL,OAI-PMH", []],
    ["type=CRAWL,RSS&limit=1", ["ixtheo-4711"]],
  ])("%s → the sources that it leaves", async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it("status → each state, the last delivery, what the last runs brought", async () => {
    const run = {
      runId: "live-2",
      startedAt: "2026-11-19T19:00:00.000Z",
      state: "failed" as const,
      delivered: 0,
    };
    await memory.status.markDelivered("ixtheo-4711", "2026-11-18T19:00:00.000Z");
    await memory.status.addRun("ixtheo-4711", run);
    await memory.status.addRun("ixtheo-4711", {
      ...run,
      runId: "live-1",
      startedAt: "2026-11-18T19:00:00.000Z",
      delivered: 3,
    });
    for (const id of ["ixtheo-4711", "ixtheo-4712"]) await setMode(id, "LIVE");
    const { body } = await request("/sources?status=true");
    expect(body.sources).toMatchObject([
      { state: "failed", lastDeliveredAt: "2026-11-18T19:00:00.000Z", recentRuns: [run, { delivered: 3 }] },
      { state: "active", recentRuns: [] },
    ]);
    expect(await ids("state=failed")).toEqual(["ixtheo-4711"]);
    expect(await ids("state=active&limit=1")).toEqual(["ixtheo-4712"]);
    unavailable = ["example.org"];
    expect(await ids("state=unavailable")).toEqual(["ixtheo-4711", "ixtheo-4712"]);
    await request("/sources/ixtheo-4712", { paused: true });
    expect(await ids("state=paused")).toEqual(["ixtheo-4712"]);
  });

  it("more overdue sources than today lists → each of them in that state", async () => {
    const overdue = [];
    for (let at = 100; at < 130; at += 1) {
      const sourceId = `s-${at}`;
      overdue.push({ sourceId, title: sourceId, windowDays: 1 });
      const value = {
        sourceId,
        title: sourceId,
        type: "RSS",
        url: "https://o.example/f",
        groupId: "IxTheo",
        deliveryMode: "LIVE",
      };
      await store.put({ kind: "source", id: sourceId, value });
    }
    const runId = "live-20261119T190000Z";
    const startedAt = "2026-11-19T19:00:00.000Z";
    await memory.runs.create({
      runId,
      deliveryMode: "LIVE",
      state: "delivering",
      startedAt,
      deadlineAt: startedAt,
    });
    await memory.runs.finishStage(runId, "overdue", { overdue });
    await memory.runs.changeState(runId, ["delivering"], { state: "finished", finishedAt: startedAt });
    expect(await ids("state=overdue")).toHaveLength(30);
    await memory.status.markDelivered("s-100", "2026-11-20T00:00:00.000Z");
    expect(await ids("state=overdue")).toHaveLength(29);
  });

  async function setMode(id: string, deliveryMode: string) {
    const item = await store.item({ kind: "source", id });
    if (item === undefined) throw new Error("no source");
    await store.put({ ...item, value: { ...item.value, deliveryMode } });
  }

  it("an invalid source → with its problem, in the list and alone", async () => {
    const item = await store.item({ kind: "source", id: "ixtheo-4711" });
    if (item === undefined) throw new Error("no source");
    await store.put({ ...item, value: { ...item.value, throttleMs: -1 } });
    const problem = expect.stringMatching(/^source ixtheo-4711: throttleMs: /);
    expect((await request("/sources")).body.sources).toContainEqual(expect.objectContaining({ problem }));
    expect((await request(one)).body).toMatchObject({ throttleMs: -1, problem });
  });
});

describe("PATCH /sources/{id}", () => {
  const whole = {
    addedAt: "2026-11-20",
    throttleMs: 3000,
    obeyRobots: false,
    collectionId: "bees",
    crawl: { maxPages: 200, sitemaps: true },
  };

  it("all fields beyond the file → kept by the next import, which may change the rest", async () => {
    const set = await request(one, whole);
    expect(set).toMatchObject({ status: 200, body: { ...whole, crawl: { ...whole.crawl, maxDepth: 0 } } });
    expect(await request(one)).toEqual(set);
    expect(await take()).toMatchObject({ changes: [] });
    await take(ini.replace("zeder_id = 4711", "zeder_id = 4711\nssgn = FG_1"));
    expect((await request(one)).body).toEqual({ ...set.body, ssgn: "FG_1" });
  });

  it.each([
    ["2026-11-21", 200],
    ["2026-11-22", 400],
    ["2999-01-01", 400],
  ])("addedAt %s, on 2026-11-20 → %i: none is waited for from a day to come", async (addedAt, status) => {
    const answer = await request(one, { addedAt });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body.detail).toMatch(`(got "${addedAt}")`);
  });

  it("some fields, some null → only these change; null resets, and an import sees no change", async () => {
    await request(one, whole);
    const change = { throttleMs: null, obeyRobots: null, crawl: { sitemaps: null } };
    const { body } = await request(one, change);
    expect(body).toMatchObject({
      obeyRobots: true,
      collectionId: "bees",
      crawl: { maxPages: 200, sitemaps: false },
    });
    expect(body).not.toHaveProperty("throttleMs");
    expect(await request(one, change)).toMatchObject({ status: 200, body });
    expect(await take()).toMatchObject({ changes: [] });
  });

  it("a concurrent write → the change is applied to it; writes without end → 503", async () => {
    store.meanwhile = async () => {
      store.meanwhile = undefined;
      await store.setFields({ kind: "source", id: "ixtheo-4711" }, { collectionId: "theirs" });
    };
    expect((await request(one, { throttleMs: 1 })).body).toMatchObject({
      throttleMs: 1,
      collectionId: "theirs",
    });
    store.meanwhile = () =>
      store.setFields({ kind: "source", id: "ixtheo-4711" }, { collectionId: "theirs" });
    expect((await request(one, { throttleMs: 2 })).status).toBe(503);
  });

  it.each<[string, string, unknown, number, RegExp]>([
    ["a source that there is not", "/sources/none", { throttleMs: 1 }, 404, /^there is no source none$/],
    ["what the file says", one, { title: "X" }, 400, /^title: comes from the configuration file: .*"X"/],
    [
      "what the file says about a crawl",
      one,
      { crawl: { maxDepth: 2 } },
      400,
      /^crawl\.maxDepth: comes from the configuration file/,
    ],
    [
      "an unknown field",
      one,
      { sitemap: true },
      400,
      /^sitemap: there is no such field of a source.*crawl\.sitemaps.*true/,
    ],
    [
      "an unknown field of a crawl",
      one,
      { crawl: { toString: 1 } },
      400,
      /^crawl\.toString: there is no such field/,
    ],
    ["the whole crawl", one, { crawl: null }, 400, /^crawl: comes from/],
    ["a bad value", one, { throttleMs: -1 }, 400, /^throttleMs: .*-1/],
    ["a bad value of a crawl", one, { crawl: { maxPages: 0 } }, 400, /^crawl\.maxPages: .*0/],
    ["no object", one, [1], 400, /^\(whole\): must be an object of fields.*\[1\]/],
  ])("%s → refused, nothing is written", async (_title, path, change, status, says) => {
    const before = new Map(store.stored);
    expect(await request(path, change)).toEqual({
      status,
      body: expect.objectContaining({ detail: expect.stringMatching(says) }),
    });
    expect(store.stored).toEqual(before);
  });
});

describe("sources that operators add", () => {
  const maps = {
    sourceId: "maps",
    title: "Maps",
    type: "RSS",
    url: "https://a.example/feed",
    groupId: "IxTheo",
  };
  const add = (change: object = {}) => request("/sources", { ...maps, ...change }, "POST");

  it("POST → 201 with the whole source, and one event; again → the same, without another event", async () => {
    const added = await add();
    expect(added).toMatchObject({
      status: 201,
      body: { ...maps, deliveryMode: "NONE", crawl: { maxPages: 1000 } },
    });
    expect(await request("/sources/maps")).toEqual({ ...added, status: 200 });
    expect(await add()).toEqual(added);
    expect(published).toMatchObject([{ type: "source.new", detail: { sourceId: "maps" } }]);
  });

  it.each([
    ["another source with the id", { title: "Other maps" }, 409, "there is another source maps"],
    [
      "the id of a journal of the file",
      { sourceId: "ixtheo-4711" },
      409,
      "there is another source ixtheo-4711",
    ],
    ["an unknown group", { groupId: "Nobody" }, 400, 'groupId: there is no such group (got "Nobody")'],
    ["an unknown field", { colour: "red" }, 400, "colour"],
    ["an invalid URL", { url: "ftp://a.example" }, 400, "url"],
    ["an invalid id", { sourceId: "A B" }, 400, "sourceId"],
    ["no title", { title: undefined }, 400, "title"],
  ])("%s → refused, and no event", async (_title, change, status, expected) => {
    await add();
    published.splice(0);
    const answer = await add(change);
    expect(answer.status).toBe(status);
    expect(answer.body.detail).toContain(expected);
    expect(published).toEqual([]);
  });

  it("an import without them → they stay, with their group", async () => {
    await add();
    const before = await request("/sources/maps");
    await take(ini.replaceAll("IxTheo", "Other"));
    expect(await request("/sources/maps")).toEqual(before);
    expect(await store.item({ kind: "group", id: "IxTheo" })).toBeDefined();
  });

  it("an import with a section of the same id → ignored, with a warning", async () => {
    await add({ sourceId: "ixtheo-4713" });
    const before = await request("/sources/ixtheo-4713");
    const outcome = await take(`${ini}[Third]\n${journal.join("\n").replace("4711", "4713")}\n`);
    expect(outcome).toMatchObject({
      type: "imported",
      changes: [],
      warnings: expect.arrayContaining([expect.stringContaining("source ixtheo-4713 was added by the API")]),
    });
    expect(await request("/sources/ixtheo-4713")).toEqual(before);
  });

  const reading = { mode: "asynchronous", everyMinutes: 60 };
  const once = { mode: "synchronous" };
  const folder = { bucket: "theses", prefix: "2026/" };
  it.each([
    ["RSS", { reading }, 201],
    ["CRAWL", { reading: once }, 201],
    ["UPLOAD", { reading }, "reading: "],
    ["FILE", { reading: once }, 201],
    ["FILE", {}, "reading: "],
    ["FILE", { reading }, "reading: "],
    ["FOLDER", { reading, folder }, 201],
    ["FOLDER", { reading: once, folder }, "reading: "],
    ["FOLDER", { reading }, "folder: "],
    ["RSS", { folder }, "folder: "],
    ["FOLDER", { reading, folder: { bucket: "theses", prefix: "../other/" } }, "folder.prefix: "],
    ["FOLDER", { reading, folder: { bucket: "theses", prefix: "2026" } }, "folder.prefix: "],
    ["FOLDER", { reading, folder: { bucket: "Theses/.." } }, "folder.bucket: "],
    ["OAI-PMH", { oai: { sets: [{ set: "a", collectionId: "of-a" }, { set: "b" }] } }, 201],
    ["OAI-PMH", { oai: { set: "a", sets: [{ set: "b" }] } }, "oai.sets: replaces oai.set"],
    ["OAI-PMH", { oai: { sets: [{ set: "b" }, { set: "b" }] } }, "oai.sets: must name each set once"],
    ["OAI-PMH", { oai: { sets: [{ set: "b" }] }, audiences: ["primo"] }, "audiences: "],
  ])("POST of the type %s with %j → %s", async (type, more, expected) => {
    const { status, body } = await add({ type, ...more });
    if (expected === 201) expect(status).toBe(201);
    else expect([status, body.detail]).toEqual([400, expect.stringContaining(String(expected))]);
  });

  it.each(sourceTypes)(
    "POST of the type %s with the defaults → nothing is delivered, and polls read it",
    async (type) => {
      const more = {
        ...(type === "FILE" && { reading: once }),
        ...(type === "FOLDER" && { reading, folder }),
      };
      const { status, body } = await add({ type, ...more });
      expect([status, body.deliveryMode]).toEqual([201, "NONE"]);
      const item = await store.item({ kind: "source", id: "maps" });
      const stored = { ...source.parse(item?.value), isAdded: true as const };
      expect(readingOf(stored) !== undefined).toBe(type !== "UPLOAD");
      expect(published.map(({ type: event }) => event)).toEqual(["source.new"]);
    },
  );

  it.each(["ixtheo-4711", "maps"])(
    "PATCH of the limits of deletions of %s → one by one; null resets",
    async (id) => {
      await add();
      const patch = async (deletions: object) => (await request(`/sources/${id}`, { deletions })).body;
      expect(await patch({ maxDocuments: 500, maxQuestions: 7 })).toMatchObject({
        deletions: { maxDocuments: 500, maxPercent: 5, maxQuestions: 7 },
      });
      expect((await patch({ maxDocuments: null, maxQuestions: null, maxPercent: 50 })).deletions).toEqual({
        ...{ maxDocuments: 20, maxPercent: 50 },
      });
      for (const wrong of [{ maxPercent: 101 }, { maxDocuments: -1 }, { maxQuestions: 0 }, { colour: 1 }])
        expect((await patch(wrong)).detail).toMatch(/^deletions\.(max|colour)/);
    },
  );

  it("PATCH → any field; null resets; the id cannot be changed", async () => {
    await add({ crawl: { maxDepth: 2 } });
    const { body } = await request("/sources/maps", {
      title: "More maps",
      deliveryMode: "LIVE",
      audiences: ["primo"],
      crawl: { sitemaps: true, maxDepth: null },
    });
    expect(body).toMatchObject({
      title: "More maps",
      deliveryMode: "LIVE",
      audiences: ["primo"],
      crawl: { sitemaps: true, maxDepth: 0 },
    });
    expect(published.at(-1)).toMatchObject({ type: "source.opened", detail: { sourceId: "maps" } });
    for (const change of [
      { sourceId: "x" },
      { colour: "red" },
      { crawl: { colour: 1 } },
      { groupId: "Nobody" },
    ]) {
      expect((await request("/sources/maps", change)).status, JSON.stringify(change)).toBe(400);
    }
  });

  it("DELETE → gone, its event, its set withdrawn; twice → 404", async () => {
    await add();
    expect((await request("/sources/maps", undefined, "DELETE")).status).toBe(204);
    expect(published.map(({ type }) => type)).toEqual(["source.new", "source.deleted"]);
    expect([withdrawn, ended, forgotten]).toEqual([["maps"], ["maps"], ["maps"]]);
    expect((await request("/sources/maps")).status).toBe(404);
    expect((await request("/sources/maps", undefined, "DELETE")).status).toBe(404);
  });

  it.each([
    ["", "keep", []],
    ["?documents=keep", "keep", []],
    ["?documents=delete", "delete", [{ sourceId: "maps", deletedAt: now().toISOString() }]],
  ])(
    "DELETE %s → its documents: %s; repeated → 404, and nothing is done again",
    async (query, documents, expected) => {
      await add();
      expect((await request(`/sources/maps${query}`, undefined, "DELETE")).status).toBe(204);
      expect(published.at(-1)?.detail).toMatchObject({ documents });
      expect(deletions).toEqual(expected);
      const repeated = await request("/sources/maps?documents=delete", undefined, "DELETE");
      expect(repeated.status).toBe(404);
      expect(deletions).toEqual(expected);
      expect([withdrawn, ended, forgotten]).toEqual([["maps"], ["maps"], ["maps"]]);
    },
  );

  it("DELETE ?documents=perhaps, or of a journal of the file with its documents → refused: nothing is deleted", async () => {
    await add();
    expect((await request("/sources/maps?documents=perhaps", undefined, "DELETE")).status).toBe(400);
    expect((await request(`${one}?documents=delete`, undefined, "DELETE")).status).toBe(409);
    expect(deletions).toEqual([]);
  });

  it("GET …/deletion → whether it is possible, and the number of documents that are not deleted", async () => {
    await add();
    const listed = (id: string) => ({ identifier: [id] as const, content });
    const content = { raw: "<dc/>", mediaType: "application/xml", format: "oai_dc", metadata: {} };
    const ports = { documents: memory.documents, events: memory.events, requestFiles: async () => {} };
    const keep = (day: number, documents: ListedDocument[]) =>
      keepDocuments({ sourceId: "maps", listedAt: `2026-11-${day}T00:00:00.000Z`, documents }, ports);
    await keep(10, [listed("a"), listed("b"), listed("c")]);
    await keep(11, [{ identifier: ["a"], isDeleted: true }]);
    const body = (await request("/sources/maps/deletion")).body;
    expect(body).toEqual({ isPossible: true, documents: 2 });
    expect((await request(`${one}/deletion`)).body).toEqual({ isPossible: false, documents: 0 });
    expect((await request("/sources/none/deletion")).status).toBe(404);
  });

  it("DELETE of a journal of the file → 409", async () => {
    const answer = await request(one, undefined, "DELETE");
    expect(answer).toMatchObject({
      status: 409,
      body: expect.objectContaining({ detail: expect.stringContaining("configuration file") }),
    });
    expect((await request(one)).status).toBe(200);
  });

  it("killed before the deletion → no event; repeated → one", async () => {
    await add();
    store.meanwhile = () => Promise.reject(new Error("killed"));
    await request("/sources/maps", undefined, "DELETE");
    expect(published.map(({ type }) => type)).toEqual(["source.new"]);
    store.meanwhile = undefined;
    await request("/sources/maps", undefined, "DELETE");
    expect(published.map(({ type }) => type)).toEqual(["source.new", "source.deleted"]);
  });
});
