import { beforeEach, describe, expect, it } from "vitest";
import { startHarvest } from "../../../shared/harvest/start-harvest.ts";
import { buildRunId } from "../../../shared/records/runs/run.ts";
import { ReaderWorld, runId, start } from "./reader-world.ts";

let world: ReaderWorld;
beforeEach(() => {
  world = new ReaderWorld();
});

describe("startHarvest", () => {
  it("requests the feed of every source of the mode, and sets the deadline", async () => {
    world.addSource("a");
    world.addSource("b", { throttleMs: 500 });
    world.addSource("test", { deliveryMode: "TEST" });
    world.addSource("off", { deliveryMode: "NONE" });
    await startHarvest(start, world.ports());
    expect(world.sent.map(({ url, throttleMs }) => [url, throttleMs])).toEqual([
      ["https://a.example/feed", undefined],
      ["https://b.example/feed", 500],
    ]);
    expect(world.deadlines).toEqual([[runId, "2026-11-20T22:00:00.000Z"]]);
    expect(world.memory.runsById.get(runId)?.state).toBe("harvesting");
  });

  it("started again → nothing more is requested", async () => {
    world.addSource("a");
    await startHarvest(start, world.ports());
    await startHarvest(start, world.ports());
    expect(world.sent).toHaveLength(1);
  });

  it("a source whose start always fails → tried again, and on the last try failed with the reason; the others are read", async () => {
    for (const sourceId of ["a", "b", "c"]) world.addSource(sourceId);
    const ports = world.ports();
    const send: typeof ports.requests.send = async (requests) => {
      if (requests.some(({ url }) => url === "https://b.example/feed")) throw new Error("bad address");
      await ports.requests.send(requests);
    };
    const failing = { ...ports, requests: { send } };
    await expect(startHarvest(start, failing)).rejects.toThrow("bad address");
    await startHarvest(start, { ...failing, isLastTry: true });
    expect(new Set(world.sent.map(({ url }) => url))).toEqual(
      new Set(["https://a.example/feed", "https://c.example/feed"]),
    );
    expect(await world.memory.runs.sourceOutcomes(runId)).toMatchObject([
      { sourceId: "b", state: "failed", reason: "it could not be started: bad address" },
    ]);
    expect(await world.memory.runs.openIds(runId, "sources")).toEqual(["a", "c"]);
  });

  it("only the sources that are named", async () => {
    world.addSource("a");
    world.addSource("b");
    await startHarvest({ ...start, sourceIds: ["b"] }, world.ports());
    expect(world.sent.map(({ url }) => url)).toEqual(["https://b.example/feed"]);
  });

  it("no source → the delivery starts at once", async () => {
    await startHarvest(start, world.ports());
    expect(world.deliveries).toEqual([runId]);
  });

  it("a source that lacks what its type needs → reported, and the run ends", async () => {
    world.addSource("a", { type: "APIQUERY" });
    await startHarvest(start, world.ports());
    expect((await world.memory.runs.sourceOutcomes(runId))[0]).toMatchObject({
      state: "failed",
      reason: "a source of type APIQUERY needs an online ISSN to search for",
    });
    expect(world.deliveries).toEqual([runId]);
  });

  it("an invalid source among those that are named → reported, the others are requested", async () => {
    world.addSource("a");
    world.memory.unusable.push({ sourceId: "bad", title: "Bad", problem: "url: must be a URL" });
    await startHarvest({ ...start, sourceIds: ["bad", "a", "none"] }, world.ports());
    expect(world.sent.map(({ url }) => url)).toEqual(["https://a.example/feed"]);
    expect(await world.memory.runs.sourceOutcomes(runId)).toMatchObject([
      { sourceId: "bad", title: "Bad", state: "failed", reason: "url: must be a URL" },
      { sourceId: "none", state: "failed", reason: "there is no LIVE source none" },
    ]);
  });

  it.each([{ newlySynced: true }, { paused: true }])(
    "a source that is new from Zeder, or paused → left out, unless it is named",
    async (fields) => {
      world.addSource("a");
      world.addSource("new", fields);
      await startHarvest(start, world.ports());
      await startHarvest(
        { ...start, scheduledTime: "2026-11-21T20:00:00Z", sourceIds: ["new"] },
        world.ports(),
      );
      expect(world.sent.map(({ url }) => url)).toEqual([
        "https://a.example/feed",
        "https://new.example/feed",
      ]);
    },
  );

  it.each([true, false])(
    "interrupted at any write (before it: %s), started again → every feed is requested",
    async (before) => {
      for (let writes = 0; writes < 8; writes += 1) {
        world = new ReaderWorld();
        world.addSource("a");
        world.addSource("b");
        world.memory.dieAfter(writes, { before });
        await startHarvest(start, world.ports()).catch(() => undefined);
        world.memory.live();
        await startHarvest(start, world.ports());
        expect(new Set(world.sent.map(({ url }) => url)).size, `write ${writes}`).toBe(2);
        expect(world.memory.runsById.get(runId)?.state).toBe("harvesting");
      }
    },
  );
});

describe("the sources of a run", () => {
  it.each([
    { mode: "LIVE" as const, seen: ["journal"] },
    { mode: "TEST" as const, seen: [] },
  ])("$mode → waited for from now on: $seen", async ({ mode, seen }) => {
    world.addSource("journal", { deliveryMode: mode });
    await startHarvest({ ...start, deliveryMode: mode, sourceIds: ["journal"] }, world.ports());
    expect([...world.memory.statuses.keys()]).toEqual(seen);
  });

  it("one whose group is not valid → fails by itself, with the group's name and problem", async () => {
    world.addSource("bad", { groupId: "Broken" });
    world.addSource("good");
    world.memory.unusableGroups.push({ groupId: "Broken", problem: "destination.host: too short" });
    const both = { ...start, sourceIds: ["bad", "good"] };
    await startHarvest(both, world.ports());
    expect(await world.memory.runs.sourceOutcomes(buildRunId(both))).toMatchObject([
      { sourceId: "bad", state: "failed", reason: "group Broken: destination.host: too short" },
    ]);
    expect(world.sent.map(({ url }) => url)).toEqual(["https://good.example/feed"]);
  });
});
