import { beforeEach, describe, expect, it } from "vitest";
import { sourceSubject } from "../../../shared/api/source-routes.ts";
import { importConfiguration } from "../../../shared/sources/conf/import-configuration.ts";
import { configuration, journal } from "../sources/fixtures.ts";
import { MemoryConfiguration } from "../sources/memory-configuration.ts";
import { serve } from "./serve.ts";

const now = () => new Date("2026-11-20T10:00:00Z");
const clock = { now, sleep: () => Promise.resolve() };
const ini = `${configuration(journal)}[Another]\n${journal.join("\n").replace("4711", "4712")}\n`;
const take = (text = ini) =>
  importConfiguration(
    { ini: text, files: {} },
    { configuration: store, leases: store.leases },
    {
      dryRun: false,
      allowRemovals: false,
      isStrict: false,
      by: "a test",
      now,
    },
  );

let store: MemoryConfiguration;
beforeEach(async () => {
  store = new MemoryConfiguration();
  await take();
});

async function request(path: string, change?: unknown) {
  const app = serve([sourceSubject], { configuration: store, clock });
  const patch = { method: "PATCH", body: JSON.stringify(change) };
  const answer = await app.request(path, change === undefined ? {} : patch);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
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
          obeyRobots: true,
          crawl: { maxPages: 1000, sitemaps: true },
        },
      ],
      next: "ixtheo-4711",
    });
    const { body } = await request("/sources?limit=1&after=ixtheo-4711");
    expect(body).toEqual({ sources: [expect.objectContaining({ sourceId: "ixtheo-4712" })] });
  });

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
    if (status === 400) expect(answer.body.error).toMatch(`(got "${addedAt}")`);
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
      "what the file says of a crawl",
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
    expect(await request(path, change)).toEqual({ status, body: { error: expect.stringMatching(says) } });
    expect(store.stored).toEqual(before);
  });
});
