import { expect, it } from "vitest";
import { hourMs } from "../link-world.ts";
import { liveInCrowd } from "./live-in-crowd.ts";

it("2,000 collections on 60 hosts with delays up to an hour, a month → no queue grows, all get their turns", async () => {
  const world = await liveInCrowd({ collections: 2000, hosts: 60, days: 30, seed: 1, maxDelayMs: hourMs });
  expect(world.sent).toBeGreaterThan(60_000);
  expect(world.withdrawn).toBeGreaterThan(20);
});
