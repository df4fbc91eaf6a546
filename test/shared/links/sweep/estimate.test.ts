import { beforeEach, describe, expect, it } from "vitest";
import {
  estimateDeadLinks,
  type LinkSample,
  wilsonInterval,
} from "../../../../shared/links/sweep/estimate.ts";
import { sampleLinks } from "../../../../shared/links/sweep/sample-links.ts";
import type { Verdict } from "../../../../shared/links/verdict/verdict.ts";
import { hourMs, LinkWorld } from "../link-world.ts";

describe("the 95 % Wilson interval", () => {
  // By the formula of 1927, as statsmodels' proportion_confint(method="wilson") gives them.
  it.each([
    [0, 10, 0, 0.2775],
    [1, 10, 0.0179, 0.4042],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [10, 100, 0.0552, 0.1744],
    [50, 1000, 0.0381, 0.0653],
    [0, 0, 0, 1],
  ])("%i of %i → %f to %f", (hits, total, low, high) => {
    const interval = wilsonInterval(hits, total);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });
});

function samples(day: string, verdict: Verdict, count: number): LinkSample[] {
  return Array.from({ length: count }, (_, index) => ({
    collectionId: "c",
    day,
    recordId: `${verdict}-${index}`,
    verdict,
  }));
}

describe("the estimate", () => {
  const day = "2026-11-28";
  const before = [...samples("2026-11-05", "alive", 195), ...samples("2026-11-05", "broken", 5)];

  it.each<[string, LinkSample[], string]>([
    [
      "many more dead",
      [...samples("2026-11-20", "alive", 150), ...samples("2026-11-20", "broken", 50)],
      "rising",
    ],
    [
      "as many dead",
      [...samples("2026-11-20", "alive", 195), ...samples("2026-11-20", "broken", 5)],
      "unclear",
    ],
    ["few samples", samples("2026-11-20", "broken", 1), "rising"],
    ["none", [], "unclear"],
  ])("%s than before → $2", (_title, now, trend) => {
    expect(estimateDeadLinks([...before, ...now], day).trend).toBe(trend);
  });

  it("fewer dead → falling", () => {
    const then = [...samples("2026-11-05", "alive", 100), ...samples("2026-11-05", "broken", 100)];
    expect(estimateDeadLinks([...then, ...samples("2026-11-20", "alive", 200)], day).trend).toBe("falling");
  });

  it("inconclusive samples → reported, not part of the share; older ones are ignored", () => {
    const all = [
      ...samples("2026-10-31", "broken", 9),
      ...samples("2026-11-15", "inconclusive", 7),
      ...samples("2026-11-15", "broken", 1),
      ...samples("2026-11-28", "alive", 9),
    ];
    const { now, before: earlier } = estimateDeadLinks(all, day);
    expect(now).toMatchObject({
      from: "2026-11-15",
      to: day,
      judged: 10,
      dead: 1,
      inconclusive: 7,
      share: 0.1,
    });
    expect(earlier).toMatchObject({ from: "2026-11-01", to: "2026-11-14", judged: 0 });
    expect(earlier.share).toBeUndefined();
  });
});

describe("the daily drawing", () => {
  let world: LinkWorld;
  beforeEach(() => {
    world = new LinkWorld();
  });
  const draw = async () => {
    const summary = await sampleLinks(world.now, world.ports);
    await world.settle();
    return summary.requests;
  };

  it("20 a day, each record once before any twice, then from the start", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 50);
    for (const expected of [20, 20, 20, 20, 20]) {
      expect(await draw()).toBe(expected);
      world.nowMs += 24 * hourMs;
    }
    const times = Map.groupBy(world.requested, ({ url }) => url);
    expect(times.size).toBe(50);
    expect([...times.values()].every((requested) => requested.length === 2)).toBe(true);
  });

  it("drawn again on the same day → no more requests", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 50);
    await draw();
    expect(await draw()).toBe(0);
  });

  it("a collection smaller than the sample → each record once", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 3);
    await draw();
    world.nowMs += 24 * hourMs;
    await draw();
    expect(world.requested).toHaveLength(6);
  });

  it("many collections on one host → 100 links of it a day, other days other collections", async () => {
    for (let number = 1; number <= 10; number += 1) {
      world.addCollection({ collectionId: `c${number}`, title: "C" }, 0);
      for (let record = 1; record <= 30; record += 1) {
        world.addRecord(`c${number}`, record, { landingUrl: `https://one.example/${number}/${record}` });
      }
    }
    expect(await draw()).toBe(100);
    const first = new Set(world.cursors.keys());
    expect(await draw()).toBe(0);
    world.nowMs += 24 * hourMs;
    expect(await draw()).toBe(100);
    expect(new Set(world.cursors.keys())).not.toEqual(first);
  });

  it("a host with a delay of an hour → the samples take a tenth of its day", async () => {
    world.delayMs = () => hourMs;
    world.addCollection({ collectionId: "c", title: "C" }, 50);
    expect(await draw()).toBe(2);
  });

  it("a dead link among them → counted, without a failure or a notification", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 4);
    world.reply = (url) => (url.endsWith("/2") ? 404 : 200);
    await draw();
    const drawn = await world.ports.samples.between("c", { from: "2026-11-01", to: "2026-11-30" });
    expect(estimateDeadLinks(drawn, "2026-11-20").now).toMatchObject({ judged: 4, dead: 1, share: 0.25 });
    expect(world.linkStatusOf("c-002")).toBe("active");
    expect(world.counts()).toEqual({});
  });

  it("a deleted link among them → counted as dead, not requested", async () => {
    world.addCollection({ collectionId: "c", title: "C", recheckDelaysHours: [1] }, 4);
    world.reply = (url) => (url.endsWith("/2") ? 404 : 200);
    await world.openRecord("c-002");
    await world.advance(hourMs);
    expect(world.linkStatusOf("c-002")).toBe("deleted");
    world.requested.length = 0;
    await draw();
    expect(world.requested.map(({ url }) => new URL(url).pathname)).toEqual(["/1", "/3", "/4"]);
    const drawn = await world.ports.samples.between("c", { from: "2026-11-01", to: "2026-11-30" });
    expect(estimateDeadLinks(drawn, "2026-11-20").now).toMatchObject({ judged: 4, dead: 1 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ["the network is down", async () => (world.networkIsDown = true)],
    ["the collection is held", () => world.hold("c")],
  ])("%s → nothing is drawn", async (_title, prepare) => {
    world.addCollection({ collectionId: "c", title: "C" });
    await prepare();
    expect(await draw()).toBe(0);
  });
});
