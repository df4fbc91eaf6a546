import { expect, it } from "vitest";
import { sweepCollections } from "../../../shared/links/sweep-collections.ts";
import { LinkWorld } from "./link-world.ts";

it("1 000 collections → at most 4 300 requests, and 5 reads of each", async () => {
  const world = new LinkWorld();
  for (let number = 1; number <= 1000; number += 1) {
    world.addCollection({ collectionId: `c-${number}`, title: `C ${number}` }, 10);
  }
  const summary = await sweepCollections(world.now, world.ports);
  expect(summary).toEqual({ network: "up", swept: 1000, requests: 4000, unusable: [] });
  expect(world.reads / 1000).toBeLessThanOrEqual(5);
  await world.settle();
  expect(world.asked.length).toBeLessThanOrEqual(4300);
  expect(world.published).toEqual([]);
});
