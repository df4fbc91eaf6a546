import { describe, expect, it } from "vitest";
import { stopHarvest } from "../../../../shared/harvest/oai/control-harvest.ts";
import { pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { startHarvest } from "../../../../shared/harvest/start-harvest.ts";
import type { NewSource } from "../../../../shared/sources/source.ts";
import { feed, page } from "../reader-world.ts";
import { PolledWorld } from "./polled-world.ts";

const begin = Date.parse("2026-11-02T10:00:00Z");
const atMinute = (minutes: number) => new Date(begin + minutes * 60_000);
const every = (everyMinutes: number) => ({ mode: "asynchronous" as const, everyMinutes });
const once = { mode: "synchronous" as const };

/** A journal whose feed lists two articles. */
function journal(settings: Partial<NewSource>): PolledWorld {
  const world = new PolledWorld();
  world.addSource("journal", settings);
  world.answer = ({ pathname }) => (pathname === "/feed" ? feed("/a", "/b") : page(pathname));
  return world;
}

const paths = (world: PolledWorld) => world.requested.map((url) => new URL(url).pathname);

describe("a poll of a feed", () => {
  it("every hour → the feed each time, its articles once; deliveries take them as they come", async () => {
    const world = journal({ reading: every(60) });
    for (let minute = 0; minute < 180; minute += 5) await world.poll(atMinute(minute));
    expect(paths(world)).toEqual(["/feed", "/a", "/b", "/feed", "/feed"]);
    // Of the first, with the articles, and of the last, which no poll has followed.
    expect(await world.memory.runs.listLongHarvests("LIVE")).toHaveLength(2);
    await world.deliver(atMinute(180));
    expect(world.delivered).toHaveLength(2);
    await world.deliver(atMinute(200));
    expect(world.delivered).toHaveLength(2);
  });

  it("that finds an article whose host fails → again on the next day", async () => {
    const world = journal({ reading: every(720) });
    const { answer } = world;
    world.answer = (url) =>
      url.pathname === "/b" && world.memory.now < atMinute(900) ? undefined : answer(url);
    for (const minute of [0, 720, 1440]) await world.poll(atMinute(minute));
    expect(paths(world).filter((path) => path === "/b")).toHaveLength(2);
    expect(world.changes.map(({ detail }) => detail.title)).toEqual(["/a", "/b"]);
  });

  it("once → source.closed at the next poll, and never again", async () => {
    const world = journal({ reading: once });
    for (let minute = 0; minute < 300; minute += 5) await world.poll(atMinute(minute));
    expect(paths(world)).toEqual(["/feed", "/a", "/b"]);
    expect(world.changes.map(({ type }) => type)).toEqual(["document.new", "document.new", "source.closed"]);
  });

  it("once, and its host fails → again after an hour, then closed", async () => {
    const world = journal({ reading: once });
    const { answer } = world;
    world.answer = (url) => (world.memory.now < atMinute(30) ? undefined : answer(url));
    for (let minute = 0; minute < 300; minute += 5) await world.poll(atMinute(minute));
    expect(paths(world)).toEqual(["/feed", "/feed", "/a", "/b"]);
    expect(world.changes.at(-1)?.type).toBe("source.closed");
  });

  it("that is not read within a day → ended, and polled again", async () => {
    const world = journal({ reading: every(60) });
    world.memory.now = atMinute(0);
    await world.poll(atMinute(0));
    const [harvest] = await world.memory.runs.listLongHarvests("LIVE");
    await world.memory.runs.changeState(harvest?.runId ?? "", ["delivering"], { state: "harvesting" });
    for (const minute of [60, 1435]) await world.poll(atMinute(minute));
    expect(paths(world)).toEqual(["/feed", "/a", "/b"]);
    await world.poll(atMinute(1440));
    expect(paths(world).filter((path) => path === "/feed")).toHaveLength(2);
  });

  it("stopped by an operator → again when its interval is over", async () => {
    const world = journal({ reading: every(60) });
    await world.poll(atMinute(0));
    const [harvest] = await world.memory.runs.listLongHarvests("LIVE");
    await world.memory.runs.changeState(harvest?.runId ?? "", ["delivering"], { state: "harvesting" });
    world.memory.now = atMinute(10);
    expect(await stopHarvest("journal", world.memory)).toBe(true);
    for (const minute of [15, 65]) await world.poll(atMinute(minute));
    expect(paths(world).filter((path) => path === "/feed")).toHaveLength(1);
    await world.poll(atMinute(70));
    expect(paths(world).filter((path) => path === "/feed")).toHaveLength(2);
  });

  it("killed at any of its writes → one harvest, each article with one event", async () => {
    for (let writes = 0; writes < 40; writes += 1) {
      const world = journal({ reading: once });
      world.memory.dieAfter(writes, { before: writes % 2 === 0 });
      for (const minute of [0, 5, 10]) await world.poll(atMinute(minute));
      expect(world.changes, `killed after ${writes} writes`).toHaveLength(3);
      expect(paths(world)).toHaveLength(3);
    }
  });

  it("a run that names the source → reads it", async () => {
    const world = journal({ reading: every(60) });
    const start = { deliveryMode: "LIVE" as const, scheduledTime: atMinute(0).toISOString() };
    await startHarvest({ ...start, sourceIds: ["journal"] }, world.ports());
    await world.read();
    expect(paths(world)).toEqual(["/feed", "/a", "/b"]);
  });

  it("the daily run → leaves it to the polls, and takes what they have found", async () => {
    const world = journal({ reading: every(60) });
    await startHarvest({ deliveryMode: "LIVE", scheduledTime: atMinute(0).toISOString() }, world.ports());
    expect([world.requested, world.deliveries]).toEqual([[], ["live-20261102T100000Z"]]);
  });
});

it.each<[string, Partial<NewSource>, string]>([
  ["DIRECT", { type: "DIRECT" }, "https://journal.example/feed"],
  ["CRAWL", { type: "CRAWL" }, "https://journal.example/feed"],
  ["APIQUERY", { type: "APIQUERY", online: { issn: "0001-0002", ppn: "1" } }, "https://journal.example/feed"],
])("a poll of the type %s → requested at each poll", async (_, settings, url) => {
  const world = journal({ ...settings, reading: every(60) });
  world.answer = ({ pathname }) => page(pathname);
  for (const minute of [0, 5, 60]) await world.poll(atMinute(minute));
  expect(world.requested).toEqual([url, url]);
});

it("a poll of the type EMAIL → its mails are read; of a search without an ISSN → interrupted with the reason", async () => {
  const world = new PolledWorld();
  world.addSource("mails", { type: "EMAIL", reading: every(60) });
  world.addSource("search", { type: "APIQUERY", reading: every(60) });
  const mails: object[] = [];
  const mail = { send: async (message: object) => void mails.push(message) };
  for (const minute of [0, 5]) await pollSources(atMinute(minute), { ...world.ports(), mail });
  expect(mails).toEqual([
    expect.objectContaining({
      sourceId: "mails",
      runId: "harvest-mails-poll-live-2026-11-02T10-00-00-000Z",
    }),
  ]);
  expect((await world.memory.oaiHarvests.get("search"))?.last?.completeness).toEqual({
    type: "interrupted",
    reason: "a source of type APIQUERY needs an online ISSN to search for",
  });
});
