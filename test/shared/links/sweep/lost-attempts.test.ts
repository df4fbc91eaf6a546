import { beforeEach, describe, expect, it } from "vitest";
import { hourMs, LinkWorld, start } from "../link-world.ts";

let world: LinkWorld;
beforeEach(() => {
  world = new LinkWorld();
});

describe("an attempt for a record", () => {
  it("an attempt got lost → the check of a reader a day later is the attempt", async () => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    world.nowMs += 12 * hourMs;
    await world.openRecord("c-001");
    expect(world.records.get("c-001")?.link?.failures).toBe(1);
    world.nowMs += 14 * hourMs;
    await world.openRecord("c-001");
    expect(world.records.get("c-001")?.link?.failures).toBe(2);
  });

  it("an attempt got lost, and no reader comes → the sweep makes it a day later, once a day", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 10);
    world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
    const failures = () => world.records.get("c-005")?.link?.failures;
    await world.openRecord("c-005");
    world.nowMs += 24 * hourMs;
    await world.sweep();
    expect(failures()).toBe(1);
    world.nowMs += 2 * hourMs;
    world.requested.length = 0;
    await world.sweep();
    expect(failures()).toBe(2);
    await world.sweep();
    expect(world.requested.filter(({ url }) => url.endsWith("/5"))).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ["held", () => world.hold("c")],
    ["spoilt", () => world.unusable.set("c", { collectionId: "c", problem: "title", hold: false })],
  ])("an attempt got lost, its collection %s → the sweep leaves it alone", async (_title, act) => {
    world.addCollection({ collectionId: "c", title: "C" });
    world.reply = () => 404;
    await world.openRecord("c-001");
    await act();
    world.nowMs += 26 * hourMs;
    await world.sweep();
    expect(world.requested).toHaveLength(1);
  });

  it("more than a thousand attempts got lost of a held collection → the sweep makes those of others all the same", async () => {
    const linkStatus = {
      status: "suppressed" as const,
      failures: 1,
      inconclusives: 0,
      reason: "answered 404",
    };
    const lost = (hours: number) => {
      const at = new Date(start.getTime() - hours * hourMs).toISOString();
      return { link: { ...linkStatus, since: at, checkId: `check ${hours}`, asOf: at, nextAttemptAt: at } };
    };
    world.addCollection({ collectionId: "held", title: "H", hold: true }, 0);
    for (let number = 1; number <= 1100; number += 1) world.addRecord("held", number, lost(48));
    world.addRecord("c", 1, lost(25));
    await world.sweep();
    expect(world.requested.map(({ url }) => url)).toEqual(["https://c.example/1"]);
    expect(world.linkStatusOf("c-001")).toBe("active");
  });

  it("its collection not configured, an attempt got lost → the sweep makes it", async () => {
    world.addRecord("nobody", 1);
    world.reply = () => 404;
    await world.openRecord("nobody-001");
    world.nowMs += 26 * hourMs;
    await world.sweep();
    expect(world.records.get("nobody-001")?.link?.failures).toBe(2);
  });

  it("an attempt put off while its collection is held → not taken for lost, and made when it is due then", async () => {
    world.addCollection({ collectionId: "c", title: "C" }, 10);
    world.reply = (url) => (url.endsWith("/5") ? 404 : 200);
    await world.openRecord("c-005");
    await world.hold("c");
    await world.advance(40 * hourMs);
    expect(world.attemptsDue).toHaveLength(1);
    expect(world.records.get("c-005")?.link?.nextAttemptAt).toBe(world.attemptsDue[0]);
    await world.hold("c", false);
    world.requested.length = 0;
    await world.sweep();
    expect(world.requested.filter(({ url }) => url.endsWith("/5"))).toEqual([]);
    await world.advance(2 * hourMs);
    expect(world.records.get("c-005")?.link?.failures).toBe(2);
  });
});
