import { describe, expect, it } from "vitest";
import { type StoreTest, time } from "./world.ts";

/** What the store of the states of OAI-PMH harvests promises. */
export function oaiHarvestCases(world: StoreTest): void {
  describe("the state of an OAI-PMH harvest", () => {
    const state = (revision: number, listKey = "l") => ({ sourceId: world.id, revision, listKey });
    const held = { harvestId: "h", mark: "m", since: time(1), documents: 3, of: 4, examples: ["oai:x:1"] };

    it("saved → read as it is; on another revision → not saved", async () => {
      const { oaiHarvests } = world.stores;
      expect(await oaiHarvests.get(world.id)).toBeUndefined();
      expect(await oaiHarvests.save(state(2))).toBe(false);
      expect(await oaiHarvests.save(state(1))).toBe(true);
      expect(await oaiHarvests.save(state(1, "other"))).toBe(false);
      expect(await oaiHarvests.save(state(2, "next"))).toBe(true);
      expect(await oaiHarvests.get(world.id)).toEqual(state(2, "next"));
    });

    it("with deletions that are held, then released → read as it is", async () => {
      const { oaiHarvests } = world.stores;
      const holding = { ...state(1), heldDeletions: held };
      expect(await oaiHarvests.save(holding)).toBe(true);
      expect(await oaiHarvests.get(world.id)).toEqual(holding);
      const released = { ...state(2), heldDeletions: held, releasedDeletions: held };
      expect(await oaiHarvests.save(released)).toBe(true);
      expect(await oaiHarvests.get(world.id)).toEqual(released);
    });
  });
}
