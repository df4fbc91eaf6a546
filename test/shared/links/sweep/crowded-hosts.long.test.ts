import { expect, it } from "vitest";
import { hourMs } from "../link-world.ts";
import { liveInCrowd } from "./live-in-crowd.ts";

it("10,000 collections on 300 hosts with delays up to an hour, a month → no queue grows, all get their turns", async () => {
  const world = await liveInCrowd({ collections: 10_000, hosts: 300, days: 30, seed: 1, maxDelayMs: hourMs });
  expect(world.sent).toBeGreaterThan(300_000);
  expect(world.withdrawn).toBeGreaterThan(100);
});
