import { describe, expect, it } from "vitest";
import type { NewCollection } from "../../../shared/links/status/collection.ts";
import { restoreCollection } from "../../../shared/links/status/restore.ts";
import { byOperator, hourMs, LinkWorld, type Reply, start } from "./link-world.ts";

const hoursOfMonth = 30 * 24;
const sweepEveryHours = 2;
const healthy = 27;
const networkLoss = { from: 360, to: 372 };

type Site = Omit<NewCollection, "collectionId" | "title"> & {
  /** By hours since the start, and the number of the record. */
  reply: (hour: number, record: number) => Reply;
  records?: number;
};

const broken = (from: number, to: number) => (hour: number) => (from <= hour && hour < to ? 404 : 200);
const failing = (from: number, to: number) => (hour: number) => (from <= hour && hour < to ? 503 : 200);
const softPage = { page: "<h1>Sorry, page not found</h1>" };
const isFlappingDown = (hour: number) => 200 <= hour && hour < 224 && Math.floor((hour - 200) / 3) % 2 === 0;

/** What happens to each site in the month. */
const sites: Record<string, Site> = {
  outage: { reply: broken(72, 102) },
  gone: { reply: broken(120, 590) },
  "gone-during-loss": { reply: broken(290, 1000) },
  flapping: { reply: (hour) => (isFlappingDown(hour) ? 404 : 200) },
  "one-flapping": { reply: (hour, record) => (record === 1 && hour % 4 === 0 ? 404 : 200) },
  hiccup: { reply: failing(300, 303) },
  maintenance: { reply: failing(300, 320) },
  vanished: { reply: (hour) => (hour < 240 ? 200 : "no answer") },
  "soft-404": {
    rule: { xpath: '//h1[contains(., "not found")]' },
    reply: (hour) => (280 <= hour && hour < 310 ? softPage : { page: "<h1>An article</h1>" }),
  },
  "soft-404-by-signs": { reply: (hour) => (hour < 280 ? 200 : softPage) },
  held: { reply: broken(50, 500) },
  empty: { reply: () => 404, records: 0 },
  inactive: { rule: { active: false }, reply: () => 404 },
};

type Line = [hour: number, collection: string, change: string];

/** What an operator does. */
const acts: Line[] = [
  [48, "held", "held by an operator"],
  [480, "held", "released by an operator"],
  [600, "gone", "restored by an operator"],
];

/** Every transition of the month, by hours since its start. */
const transitions: Line[] = [
  [48, "held", "suppressed"],
  // Down for 30 hours: two further attempts fail, the sweep finds it back.
  [72, "outage", "suppressed"],
  [102, "outage", "activated"],
  // 1 + 8 + 64 hours later it is given up; an operator restores it when it is back.
  [120, "gone", "suppressed"],
  [193, "gone", "deleted"],
  [200, "flapping", "suppressed"],
  [204, "flapping", "activated"],
  [206, "flapping", "suppressed"],
  [209, "flapping", "activated"],
  [212, "flapping", "suppressed"],
  [215, "flapping", "activated"],
  [218, "flapping", "suppressed"],
  [221, "flapping", "activated"],
  // A host that nobody answers for: three sweeps, then three tries for each attempt.
  [244, "vanished", "suppressed"],
  [280, "soft-404", "suppressed"],
  [290, "gone-during-loss", "suppressed"],
  // Without a rule, the signs on its pages must be seen again a day later, at each attempt.
  [304, "soft-404-by-signs", "suppressed"],
  [304, "maintenance", "suppressed"],
  [310, "soft-404", "activated"],
  [320, "maintenance", "activated"],
  // Its last attempt was due at 363, when our network was down: it is made at 372.
  [372, "gone-during-loss", "deleted"],
  [460, "soft-404-by-signs", "deleted"],
  [463, "vanished", "deleted"],
  // Broken from 50 on; the release ends the hold, and the sweep of the same hour finds out.
  [480, "held", "activated"],
  [480, "held", "suppressed"],
  [500, "held", "activated"],
  [600, "gone", "activated"],
];

describe("a month of 40 collections", () => {
  it("outages, flapping sites, 12 hours without a network, soft 404s → these transitions and no others", async () => {
    const world = new LinkWorld();
    const hour = () => (world.nowMs - start.getTime()) / hourMs;
    for (const [collectionId, { reply: _reply, records = 6, ...rest }] of Object.entries(sites)) {
      world.addCollection({ collectionId, title: collectionId, ...rest }, records);
    }
    for (let number = 1; number <= healthy; number += 1) {
      world.addCollection({ collectionId: `healthy-${number}`, title: `Healthy ${number}` }, 6);
    }
    world.reply = (url) => {
      const { hostname, pathname } = new URL(url);
      const site = sites[hostname.replace(/\.example$/, "")];
      return site?.reply(hour(), Number(pathname.slice(1))) ?? 200;
    };

    for (let at = 0; at < hoursOfMonth; at += sweepEveryHours) {
      world.networkIsDown = networkLoss.from <= at && at < networkLoss.to;
      for (const [, collectionId, act] of acts.filter(([hour]) => hour === at)) {
        if (act === "restored by an operator") await restoreCollection(collectionId, byOperator, world.ports);
        else await world.hold(collectionId, act === "held by an operator");
      }
      await world.settle();
      await world.sweep();
      await world.advance(sweepEveryHours * hourMs);
    }

    const events = world.published
      .filter(({ type }) => type.startsWith("collection."))
      .map(({ type, detail }): Line => {
        const sinceMs = Date.parse(String(detail.since)) - start.getTime();
        return [sinceMs / hourMs, String(detail.collectionId), type.replace("collection.", "")];
      });
    console.log(
      [...acts, ...events]
        .sort(([a], [b]) => a - b)
        .map(
          ([at, who, what]) =>
            `day ${Math.floor(at / 24) + 1}, ${String(at % 24).padStart(2, "0")}:00  ${who} ${what}`,
        )
        .join("\n"),
    );
    expect(events).toEqual(transitions);
    expect(world.mails).toHaveLength(transitions.length);
    // The four pages with signs, on each of the nine days from the first sign to the deletion, are listed in the mail.
    expect(world.counts()).toEqual({ unjudged: 36 });
    const during = world.requested.filter(({ at }) => {
      const hours = (Date.parse(at) - start.getTime()) / hourMs;
      return networkLoss.from <= hours && hours < networkLoss.to;
    });
    expect(during).toEqual([]);
    expect(
      world.requested.filter(({ url }) => url.includes("//inactive.") || url.includes("//empty.")),
    ).toEqual([]);
  });
});
