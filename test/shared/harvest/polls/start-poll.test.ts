import { describe, expect, it } from "vitest";
import { stopHarvest } from "../../../../shared/harvest/oai/control-harvest.ts";
import { pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { startHarvest } from "../../../../shared/harvest/start-harvest.ts";
import type { NewSource } from "../../../../shared/records/sources/source.ts";
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

describe("a feed that was added with the defaults", () => {
  /** Of the mode `NONE`. */
  function added({ isAdded = true } = {}): PolledWorld {
    const world = journal({ deliveryMode: undefined });
    const found = world.memory.sourcesById.get("journal");
    if (found !== undefined && isAdded) world.memory.sourcesById.set("journal", { ...found, isAdded: true });
    return world;
  }
  const days = (count: number) => Array.from({ length: count }, (_, day) => atMinute(day * 1440));
  const switchTo = (world: PolledWorld, deliveryMode: "LIVE" | "TEST") => {
    const found = world.memory.sourcesById.get("journal");
    if (found !== undefined) world.memory.sourcesById.set("journal", { ...found, deliveryMode });
  };

  it("→ read each day, its articles once and kept; no harvest waits for a delivery", async () => {
    const world = added();
    for (const at of days(4)) {
      await world.poll(at);
      await world.poll(new Date(at.getTime() + 300_000));
    }
    expect(paths(world)).toEqual(["/feed", "/a", "/b", "/feed", "/feed", "/feed"]);
    expect(world.changes.map(({ detail }) => detail.title)).toEqual(["/a", "/b"]);
    expect([...world.memory.recordsById.values()].map(({ state }) => state)).toEqual([
      "harvested",
      "harvested",
    ]);
    expect(await world.memory.runs.listLongHarvests("NONE")).toHaveLength(1);
    expect([...world.memory.archived.keys()].filter((key) => !key.startsWith("read:"))).toEqual([]);
    await world.deliver(atMinute(5 * 1440));
    expect([world.delivered, world.deliveries]).toEqual([[], []]);
  });

  it("imported with the mode NONE → not read", async () => {
    const world = added({ isAdded: false });
    for (const at of days(2)) await world.poll(at);
    expect(world.requested).toEqual([]);
  });

  it("an article whose host fails → on the next day; one that is unusable → after 90 days", async () => {
    const world = added();
    world.answer = ({ pathname }) => {
      if (pathname === "/feed") return feed("/a", "/b");
      if (pathname === "/a") return "<!doctype html><title>Nothing</title>";
      return world.memory.now < atMinute(1440) ? undefined : page(pathname);
    };
    for (const at of days(92)) await world.poll(at);
    expect(paths(world).filter((path) => path === "/b")).toHaveLength(2);
    expect(paths(world).filter((path) => path === "/a")).toHaveLength(2);
  });

  it.each(["LIVE", "TEST"] as const)("switched to %s → its run reads all articles again", async (mode) => {
    const world = added();
    for (const at of days(2)) await world.poll(at);
    switchTo(world, mode);
    const before = paths(world).length;
    world.memory.now = atMinute(3 * 1440);
    await startHarvest(
      { deliveryMode: mode, scheduledTime: atMinute(3 * 1440).toISOString() },
      world.ports(),
    );
    await world.read();
    expect(paths(world).slice(before)).toEqual(["/feed", "/a", "/b"]);
    expect([...world.memory.recordsById.values()].map(({ deliveryMode }) => deliveryMode)).toEqual([
      mode,
      mode,
    ]);
    expect(world.changes.filter(({ type }) => type === "document.new")).toHaveLength(2);
  });

  it("a preview by hand → shows the articles that polls have read", async () => {
    const world = added();
    await world.poll(atMinute(0));
    const scheduledTime = atMinute(10).toISOString();
    await startHarvest({ deliveryMode: "NONE", scheduledTime, sourceIds: ["journal"] }, world.ports());
    await world.read();
    expect(paths(world)).toEqual(["/feed", "/a", "/b", "/feed", "/a", "/b"]);
  });

  it("killed at any of its writes → each article kept once, with one event", async () => {
    for (let writes = 0; writes < 40; writes += 1) {
      const world = added();
      world.memory.dieAfter(writes, { before: writes % 2 === 0 });
      for (const minute of [0, 5, 1440, 1445]) await world.poll(atMinute(minute));
      expect(world.changes, `killed after ${writes} writes`).toHaveLength(2);
      expect(paths(world)).toEqual(["/feed", "/a", "/b", "/feed"]);
    }
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
