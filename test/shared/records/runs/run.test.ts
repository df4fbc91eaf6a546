import { beforeEach, describe, expect, it } from "vitest";
import { reportRun } from "../../../../shared/deliver/report/report.ts";
import { readArticleResponse } from "../../../../shared/harvest/article/read-article-response.ts";
import { readFeedResponse } from "../../../../shared/harvest/rss/read-feed-response.ts";
import { startHarvest } from "../../../../shared/harvest/start-harvest.ts";
import type { NewRequest } from "../../../../shared/web/request/request.ts";
import type { ResponseOutcome } from "../../../../shared/web/request/response.ts";
import { feed, page, ReaderWorld, runId, start } from "../../harvest/reader-world.ts";

const failure: ResponseOutcome = { type: "failed", reason: "dns", detail: "no such host", attempts: 3 };

let world: ReaderWorld;
beforeEach(() => {
  world = new ReaderWorld();
});

describe("a run", () => {
  beforeEach(async () => {
    world.addSource("a");
    await startHarvest(start, world.ports());
  });

  const theFeed = () => world.requestOf("feed")[0] as NewRequest;

  it("the last article read → the delivery is requested once", async () => {
    await readFeedResponse(world.respond(theFeed(), feed("/1", "/2")), world.ports());
    const [one, two] = world.requestOf("article") as [NewRequest, NewRequest];
    await readArticleResponse(world.respond(one, page("One")), world.ports());
    expect(world.deliveries).toEqual([]);
    await readArticleResponse(world.respond(two, failure), world.ports());
    expect(world.deliveries).toEqual([runId]);
    const states = world.memory.documentOutcomesOf(runId).map(({ state, title }) => [state, title]);
    expect(states).toEqual([
      ["converted", "One"],
      ["failed", "T /2"],
    ]);
  });

  it.each([
    ["a source names no collection, its feed no date", {}, "", "a", "2026-01-01T00:00:00.000Z"],
    ["a source names one", { collectionId: "shared" }, "", "shared", "2026-01-01T00:00:00.000Z"],
    [
      "its feed gives a date",
      {},
      "<pubDate>Fri, 01 May 2026 10:00:00 +0200</pubDate>",
      "a",
      "2026-05-01T08:00:00.000Z",
    ],
  ])(
    "%s → collection and syndication date of its records",
    async (_title, more, date, collectionId, time) => {
      world.addSource("a", more);
      const withDate = feed("/1").replace("</item>", `${date}</item>`);
      await readFeedResponse(world.respond(theFeed(), withDate), world.ports());
      await readArticleResponse(
        world.respond(world.requestOf("article")[0] as NewRequest, page("One")),
        world.ports(),
      );
      const [record] = world.memory.recordsById.values();
      expect(record).toMatchObject({ collectionId, syndicatedAt: time });
    },
  );

  it("neither feed nor page gives a date → the time of the harvest", async () => {
    await readFeedResponse(world.respond(theFeed(), feed("/1")), world.ports());
    const undated = page("One").replace(/<meta name="citation_date"[^>]*>/, "");
    await readArticleResponse(
      world.respond(world.requestOf("article")[0] as NewRequest, undated),
      world.ports(),
    );
    expect([...world.memory.recordsById.values()][0]?.syndicatedAt).toBe(world.memory.now.toISOString());
  });

  it("answers in any order and twice → the same end", async () => {
    await readFeedResponse(world.respond(theFeed(), feed("/1", "/2")), world.ports());
    const articles = world.requestOf("article").slice(0, 2);
    for (const request of [...articles.toReversed(), ...articles]) {
      await readArticleResponse(world.respond(request, page(request.url)), world.ports());
    }
    await readFeedResponse(world.respond(theFeed(), feed("/1", "/2")), world.ports());
    expect(new Set(world.deliveries)).toEqual(new Set([runId]));
    expect(world.memory.documentOutcomesOf(runId).map(({ state }) => state)).toEqual([
      "converted",
      "converted",
    ]);
    expect(world.memory.recordsById.size).toBe(2);
  });

  it.each<[string, ResponseOutcome | string, RegExp]>([
    ["no answer", failure, /no answer \(dns\)/],
    ["a web page", "<!doctype html><html><body>Moved</body></html>", /is not a feed \(html\)/],
    ["nothing", "", /is not a feed \(empty\)/],
    ["half a feed", "<rss version='2.0'><channel><item><title>T", /is not a feed \(truncated\)/],
    [
      "an error",
      { type: "answered", status: 500, url: "u", hops: [], headers: {}, elapsedMs: 1 },
      /answered 500/,
    ],
    [
      "a refusal",
      { type: "refused", reason: "address", detail: "10.0.0.1" },
      /not fetched \(address\): 10\.0\.0\.1/,
    ],
  ])(
    "a feed that is %s → the source failed with the reason, and the run ends",
    async (_what, outcome, reason) => {
      await readFeedResponse(world.respond(theFeed(), outcome), world.ports());
      expect((await world.memory.runs.sourceOutcomes(runId))[0]).toMatchObject({
        state: "failed",
        reason: expect.stringMatching(reason),
      });
      expect(world.deliveries).toEqual([runId]);
    },
  );

  it("an article that the archive knows by its URL → not requested again", async () => {
    world.memory.archived.set("url:a.example/1", {
      owner: "earlier",
      entryKey: "record:1",
      state: "automatic",
    });
    await readFeedResponse(world.respond(theFeed(), feed("/1", "/2", "/2")), world.ports());
    expect(world.requestOf("article").map(({ url }) => url)).toEqual(["https://a.example/2"]);
    expect((await world.memory.runs.sourceOutcomes(runId))[0]).toMatchObject({
      entries: 2,
      known: { delivered: 1 },
      requested: 1,
    });
  });

  it.each([
    ["an article that says a delivered DOI", "On Knots", [["doi:10.5555/1", "automatic"]], "known"],
    ["one that could not even be converted", "", [["doi:10.5555/1", "automatic"]], "known"],
    [
      "one that was refused, or is to be delivered again",
      "On Knots",
      [
        ["doi:10.5555/1", "error"],
        ["url:a.example/1", "reset"],
      ],
      "converted",
    ],
  ] as const)("%s → %s", async (_what, title, archived, state) => {
    for (const [key, is] of archived) {
      world.memory.archived.set(key, { owner: "earlier", entryKey: "record:1", state: is });
    }
    await readFeedResponse(world.respond(theFeed(), feed("/1")), world.ports());
    const html = `${page(title)}<meta name="citation_doi" content="10.5555/1">`;
    await readArticleResponse(
      world.respond(world.requestOf("article")[0] as NewRequest, html),
      world.ports(),
    );
    expect(world.memory.documentOutcomesOf(runId).map((document) => document.state)).toEqual([state]);
  });

  it("the deadline before a response → the report lists the source and the article", async () => {
    world.addSource("silent");
    await startHarvest({ ...start, scheduledTime: "2026-11-21T20:00:00Z" }, world.ports());
    const later = "live-20261121T200000Z";
    const ask = world
      .requestOf("feed")
      .find(({ url, context }) => url.includes("a.example") && context?.runId === later);
    await readFeedResponse(world.respond(ask as NewRequest, feed("/1")), world.ports());
    await world.memory.runs.changeState(later, ["harvesting"], { state: "delivering" });
    const { sources } = await reportRun(later, world.memory.runs);
    expect(
      sources.map(({ sourceId, state, reason, unanswered }) => [sourceId, state, reason, unanswered]),
    ).toEqual([
      ["a", "read", undefined, 1],
      ["silent", "failed", "no response before the deadline", 0],
    ]);
  });

  it("an entry too large for a message → dropped with its reason, the others continue", async () => {
    await readFeedResponse(
      world.respond(theFeed(), feed("/1", `/${"x".repeat(4000)}`).replace("T /1", "T".repeat(30_000))),
      world.ports(),
    );
    const [outcome] = await world.memory.runs.sourceOutcomes(runId);
    expect(outcome?.dropped.map(({ entry }) => entry)).toEqual(["https://a.example/1"]);
    expect(world.requestOf("article")).toHaveLength(outcome?.requested ?? -1);
  });

  it("an answer after the delivery has begun → changes nothing", async () => {
    await readFeedResponse(world.respond(theFeed(), feed("/1")), world.ports());
    await world.memory.runs.changeState(runId, ["harvesting"], { state: "delivering" });
    await readArticleResponse(
      world.respond(world.requestOf("article")[0] as NewRequest, page("Late")),
      world.ports(),
    );
    expect(world.memory.documentOutcomesOf(runId)).toEqual([]);
    expect(world.deliveries).toEqual([]);
  });

  it.each([true, false])(
    "a reader broken off at any write (before it: %s) and repeated → the run ends with all",
    async (before) => {
      for (let writes = 0; writes < 8; writes += 1) {
        world = new ReaderWorld();
        world.addSource("a");
        await startHarvest(start, world.ports());
        const read = async (work: () => Promise<void>) => {
          world.memory.dieAfter(writes, { before });
          await work().catch(() => undefined);
          world.memory.live();
          await work();
        };
        await read(() => readFeedResponse(world.respond(theFeed(), feed("/1")), world.ports()));
        await read(() =>
          readArticleResponse(
            world.respond(world.requestOf("article")[0] as NewRequest, page("One")),
            world.ports(),
          ),
        );
        expect(world.deliveries.length, `write ${writes}`).toBeGreaterThan(0);
        expect(world.memory.documentOutcomesOf(runId).map(({ state }) => state)).toEqual(["converted"]);
        expect(world.memory.published.length).toBeGreaterThan(0);
      }
    },
  );
});
