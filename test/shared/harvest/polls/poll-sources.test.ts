import { describe, expect, it } from "vitest";
import type { Completeness } from "../../../../shared/formats/oai/completeness.ts";
import { startHarvestNow, stopHarvest } from "../../../../shared/harvest/oai/control-harvest.ts";
import type { OaiHarvestState } from "../../../../shared/harvest/oai-state/harvest-state.ts";
import { listKeyOf } from "../../../../shared/harvest/oai-state/plan-list.ts";
import { isDue, pollSources } from "../../../../shared/harvest/polls/poll-sources.ts";
import { eventTypes } from "../../../../shared/records/events/event-types.ts";
import type { Group } from "../../../../shared/records/sources/group.ts";
import { type NewSource, source } from "../../../../shared/records/sources/source.ts";
import { listPage, pagesOf, record, type Script } from "../../../local/cli/harvest/scripted-repository.ts";
import { identify, OaiWorld } from "../oai/oai-world.ts";

const minuteMs = 60_000;
const begin = Date.parse("2026-11-02T20:00:00Z");
const atMinute = (minutes: number) => new Date(begin + minutes * minuteMs);

const repository =
  (list: Script): Script =>
  (args, nth) =>
    args.verb === "Identify" ? identify() : list(args, nth);

const every = (everyMinutes: number) => ({ mode: "asynchronous" as const, everyMinutes });
const once = { mode: "synchronous" as const };

/** A list of one page with documents that become records. Each letter is one. */
const documentsOf =
  (letters: string): Script =>
  () =>
    listPage(
      [...letters].map((letter) =>
        record(letter).replace(/<metadata>.*<\/metadata>/, `<metadata>${dublinCore(letter)}</metadata>`),
      ),
    );
const dublinCore = (letter: string) =>
  `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${letter}</dc:title><dc:identifier>https://r.example/${letter}</dc:identifier><dc:date>2013-05-01</dc:date></oai_dc:dc>`;

/** The records that the harvests have for a delivery. */
const deliverable = ({ ports }: OaiWorld) => [...ports.resolvedPages.values()].flat().length;

/** Polls every five minutes, each time twice, and reads what was requested. */
async function pollFor(
  world: OaiWorld,
  { from = 0, minutes }: { from?: number; minutes: number },
): Promise<string[]> {
  const started: string[] = [];
  for (let minute = from; minute < from + minutes; minute += 5) {
    world.ports.now = atMinute(minute);
    const ports = world.pollPorts;
    const first = await pollSources(atMinute(minute), ports);
    await pollSources(atMinute(minute), ports);
    await world.read();
    started.push(...first.started);
  }
  return started;
}

describe("pollSources", () => {
  it("every 15 minutes, for an hour → four lists, each once; each document with one event", async () => {
    const world = new OaiWorld(repository(pagesOf("ab")), { reading: every(15) });
    expect(await pollFor(world, { minutes: 60 })).toHaveLength(4);
    expect(world.lists).toHaveLength(4);
    expect(world.events.filter((event) => event.startsWith("document"))).toEqual([
      "document.new a",
      "document.new b",
    ]);
  });

  it("once → one list, then source.closed; another set → read again", async () => {
    const world = new OaiWorld(repository(pagesOf("a", "b")), { reading: once });
    expect(await pollFor(world, { minutes: 120 })).toHaveLength(1);
    const closed = world.ports.published.filter(({ type }) => type === "source.closed");
    expect(closed).toHaveLength(1);
    eventTypes["source.closed"].detail.parse(closed[0]?.detail);
    world.ports.sourcesById.set(world.source.sourceId, {
      ...world.source,
      oai: { ...world.source.oai, set: "maps" },
    });
    expect(await pollFor(world, { from: 120, minutes: 120 })).toHaveLength(1);
  });

  it("once, and the list fails → again after an hour", async () => {
    const world = new OaiWorld(
      repository(() => ({ status: 403 })),
      { reading: once },
    );
    expect(await pollFor(world, { minutes: 120 })).toHaveLength(2);
    expect(world.ports.published.filter(({ type }) => type === "source.closed")).toEqual([]);
  });

  it.each([
    ["on an interval → again when it is over", every(60), 2, 0],
    ["once → not again, until an operator starts it", once, 1, 1],
  ])("stopped by an operator, %s", async (_, reading, later, closed) => {
    const world = new OaiWorld(repository(pagesOf("a", "b")), { reading });
    const ports = world.pollPorts;
    world.ports.now = atMinute(0);
    await pollSources(atMinute(0), ports);
    await world.read(2);
    expect(await stopHarvest(world.source.sourceId, ports)).toBe(true);
    expect(await stopHarvest(world.source.sourceId, ports)).toBe(false);
    expect(await pollFor(world, { from: 5, minutes: 55 })).toEqual([]);
    await pollFor(world, { from: 60, minutes: 60 });
    expect(world.lists.filter((query) => query === "metadataPrefix=oai_dc")).toHaveLength(later);
    const group = world.ports.groups.get("Test") as Group;
    world.ports.now = atMinute(121);
    await startHarvestNow(world.source, group, { isFull: false }, ports);
    await world.read();
    expect(world.ports.published.filter(({ type }) => type === "source.closed")).toHaveLength(closed);
  });

  it("a source added with the defaults → read each day, its documents kept, nothing for a delivery", async () => {
    const { deliveryMode: _live, ...defaults } = new OaiWorld(pagesOf("a")).source;
    const world = new OaiWorld(repository(documentsOf("ab")));
    world.ports.sourcesById.set(world.source.sourceId, source.parse(defaults));
    expect(world.source).toMatchObject({ deliveryMode: "NONE" });
    expect(await pollFor(world, { minutes: 60 })).toHaveLength(1);
    await pollFor(world, { from: 24 * 60, minutes: 5 });
    expect(world.lists).toHaveLength(2);
    expect([world.documents("present"), world.events]).toEqual(["ab", ["document.new a", "document.new b"]]);
    expect([world.ports.recordsById.size, deliverable(world)]).toEqual([0, 0]);
    await pollFor(world, { from: 48 * 60, minutes: 5 });
    const states = [...world.ports.runsById.values()].map(({ state }) => state);
    expect(states).toEqual(["finished", "finished", "delivering"]);
  });

  it("a source read without a delivery, then switched to one → the whole list again; all its records", async () => {
    const world = new OaiWorld(repository(documentsOf("ab")), { deliveryMode: "NONE", reading: once });
    await pollFor(world, { minutes: 120 });
    expect(world.lists).toHaveLength(1);
    world.ports.sourcesById.set(world.source.sourceId, { ...world.source, deliveryMode: "LIVE" });
    world.script = repository(() => ({ status: 403 }));
    await pollFor(world, { from: 120, minutes: 5 });
    world.script = repository(documentsOf("ab"));
    await pollFor(world, { from: 125, minutes: 240 });
    expect(world.lists).toEqual(Array(3).fill("metadataPrefix=oai_dc"));
    expect([world.ports.recordsById.size, deliverable(world)]).toEqual([2, 2]);
    expect(world.events.filter((event) => event.startsWith("document"))).toHaveLength(2);
  });

  it.each<[string, Partial<NewSource>]>([
    ["read by the daily run", {}],
    ["of articles that is not delivered", { type: "RSS", deliveryMode: "NONE", reading: once }],
  ])("a source %s → not polled", async (_title, settings) => {
    const world = new OaiWorld(repository(pagesOf("a")), settings);
    expect(await pollFor(world, { minutes: 30 })).toEqual([]);
  });

  it("the daily run → leaves it to the polls, and is not held up", async () => {
    const world = new OaiWorld(repository(pagesOf("a")), { reading: every(15) });
    await world.harvest(atMinute(0).toISOString());
    expect(world.requested).toEqual([]);
  });

  it("a source without its group → said, and the others are started", async () => {
    const world = new OaiWorld(repository(pagesOf("a")), { reading: every(15) });
    world.ports.sourcesById.set("lost", { ...world.source, sourceId: "lost", groupId: "Nobody" });
    const summary = await pollSources(atMinute(0), world.pollPorts);
    expect(summary).toEqual({
      started: [world.source.sourceId],
      failed: [{ sourceId: "lost", problem: "there is no group Nobody" }],
    });
  });
});

describe("isDue", () => {
  const value = { sourceId: "s", title: "S", type: "OAI-PMH", url: "https://a.example/oai", groupId: "G" };
  const polled = (reading: NewSource["reading"]) => source.parse({ ...value, reading });
  const complete: Completeness = { type: "complete" };
  const interrupted: Completeness = { type: "interrupted", reason: "403" };
  const endedAt = (minutes: number, completeness: Completeness): OaiHarvestState => ({
    sourceId: "s",
    revision: 1,
    listKey: listKeyOf(polled(once)),
    last: { harvestId: "h", completeness, at: atMinute(minutes).toISOString() },
  });
  it.each<[string, NewSource["reading"], OaiHarvestState | undefined, number, boolean]>([
    ["never read, on an interval", every(60), undefined, 0, true],
    ["never read, once", once, undefined, 0, true],
    ["before the interval is over", every(60), endedAt(0, complete), 59, false],
    ["when the interval is over", every(60), endedAt(0, complete), 60, true],
    ["interrupted, before the interval is over", every(60), endedAt(0, interrupted), 59, false],
    ["read once", once, endedAt(0, complete), 10_000, false],
    ["interrupted, soon after", once, endedAt(0, interrupted), 59, false],
    ["interrupted, later", once, endedAt(0, interrupted), 60, true],
  ])("%s", (_title, reading, state, minutes, expected) => {
    expect(isDue(polled(reading), state, atMinute(minutes))).toBe(expected);
  });
});
