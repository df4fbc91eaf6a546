import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../shared/core/errors.ts";
import type { StoreTest } from "./world.ts";

/** What the store of sources and groups promises. */
export function sourceCases(world: StoreTest): void {
  describe("the configuration", () => {
    const feed = { title: "S", type: "RSS", url: "https://s.example/", groupId: "G", deliveryMode: "TEST" };
    const isil = { isil: "XX-1", userAgent: "test", outputFolder: "g" };

    it("an unusable source → separate from the others; loaded alone → a ConfigError", async () => {
      const bad = `${world.id}-bad`;
      await world.configure({ kind: "source", id: world.id, value: { ...feed, sourceId: world.id } });
      await world.configure({ kind: "source", id: bad, value: { ...feed, sourceId: bad, type: "GUESS" } });
      const { sources, unusable } = await world.stores.sources.sourcesByMode("TEST");
      expect(sources.map(({ sourceId }) => sourceId)).toContain(world.id);
      expect(unusable.map(({ sourceId }) => sourceId)).toContain(bad);
      expect((await world.stores.sources.source(world.id))?.sourceId).toBe(world.id);
      await expect(world.stores.sources.source(bad)).rejects.toThrow(ConfigError);
      expect(await world.stores.sources.source(`${world.id}-none`)).toBeUndefined();
      const named = await world.stores.sources.sourcesById([world.id, bad, `${world.id}-none`]);
      expect(named.sources.map(({ sourceId }) => sourceId)).toEqual([world.id]);
      expect(named.unusable.map(({ sourceId }) => sourceId)).toEqual([bad]);
    });

    it("a source that was added → said; of an imported one nothing is", async () => {
      const added = `${world.id}-added`;
      const value = { ...feed, sourceId: added };
      const marks = { addedBy: "api", isUnannounced: true } as const;
      await world.configure({ kind: "source", id: added, value, ...marks });
      await world.configure({ kind: "source", id: world.id, value: { ...feed, sourceId: world.id } });
      expect(await world.stores.sources.source(added)).toHaveProperty("isAdded", true);
      expect(await world.stores.sources.source(world.id)).not.toHaveProperty("isAdded");
      const { sources } = await world.stores.sources.sourcesByMode("TEST");
      const found = new Map(sources.map((each) => [each.sourceId, each]));
      expect(found.get(added)).toMatchObject({ isAdded: true, isUnannounced: true });
      for (const name of ["isAdded", "isUnannounced"]) expect(found.get(world.id)).not.toHaveProperty(name);
    });

    it("an unusable group → separate from the others; loaded alone → a ConfigError", async () => {
      const bad = `${world.id}-bad`;
      await world.configure({ kind: "group", id: world.id, value: { ...isil, groupId: world.id } });
      await world.configure({ kind: "group", id: bad, value: { groupId: bad } });
      const { groups, unusable } = await world.stores.sources.groups();
      expect(groups.map(({ groupId }) => groupId)).toContain(world.id);
      expect(unusable.map(({ groupId }) => groupId)).toContain(bad);
      expect((await world.stores.sources.group(world.id))?.groupId).toBe(world.id);
      await expect(world.stores.sources.group(bad)).rejects.toThrow(ConfigError);
    });
  });
}
