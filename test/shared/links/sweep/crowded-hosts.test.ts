import { expect, it } from "vitest";
import { hourMs, LinkWorld } from "../link-world.ts";
import { liveInCrowd } from "./live-in-crowd.ts";

/** The month of 2,000 collections is in `crowded-hosts.long.test.ts`. */
it("400 collections on 12 hosts with delays up to an hour, a week → no queue grows, all get their turns", async () => {
  await liveInCrowd({ collections: 400, hosts: 12, days: 7, seed: 3, maxDelayMs: hourMs });
});

it("31 collections of one host at 60 s → shown as overbooked; a host with time is not", async () => {
  const world = new LinkWorld();
  world.delayMs = (host) => (host === "slow.example" ? 60_000 : 1000);
  for (let number = 1; number <= 31; number += 1) {
    const collectionId = `c-${number}`;
    world.addCollection({ collectionId, title: collectionId }, 0);
    for (let record = 1; record <= 4; record += 1)
      world.addRecord(collectionId, record, { landingUrl: `https://slow.example/${number}/${record}` });
  }
  world.addCollection({ collectionId: "fast", title: "Fast" });
  await world.sweep();
  expect(world.busyHosts).toMatchObject({
    intervalMs: 2 * hourMs,
    hosts: [{ hostKey: "slow.example", collections: 31, links: 124, neededMs: 124 * 61_000 }],
  });
  expect(new Set(world.requested.map(({ url }) => new URL(url).pathname.split("/")[1])).size).toBeLessThan(
    32,
  );
  world.nowMs += 2 * hourMs;
  await world.sweep();
  const asked = world.requested.filter(({ url }) => url.startsWith("https://slow.example/"));
  expect(new Set(asked.map(({ url }) => url)).size).toBe(124);
});
