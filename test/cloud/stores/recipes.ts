import { describe, expect, it } from "vitest";
import type { StoreTest } from "./world.ts";

/** What the store of recipes promises. */
export function recipeCases(world: StoreTest): void {
  describe("the recipes", () => {
    const toml = (css: string) =>
      `name = "Bees"\nhosts = ["bees.example"]\n[fields]\nvolume = { css = "${css}" }`;
    const bees = (css: string, name = "a") => ({ id: `bees-${world.id}-${name}`, toml: toml(css) });
    const own = async () =>
      (await world.stores.recipes.stored()).filter(({ id }) => id.startsWith(`bees-${world.id}-`));

    it("put, put again, deleted → listed by id, as they are now, ready for use", async () => {
      const { recipes } = world.stores;
      for (const name of ["c", "b"]) await recipes.put(bees(".v", name));
      await recipes.put(bees(".w", "c"));
      expect(await own()).toEqual([bees(".v", "b"), bees(".w", "c")]);
      const listed = (await recipes.list()).filter(({ id }) => id.startsWith(`bees-${world.id}-`));
      expect(listed.map(({ recipe }) => recipe.fields.volume?.[0]?.css)).toEqual([".v", ".w"]);
      expect(await recipes.remove(bees("", "b").id)).toBe(true);
      expect(await recipes.remove(bees("", "b").id)).toBe(false);
      expect(await recipes.get(bees("", "b").id)).toBeUndefined();
      expect(await recipes.remove(bees("", "c").id)).toBe(true);
    });

    it("added twice → the first one stays; changed by two → the first one's", async () => {
      const { recipes } = world.stores;
      expect([await recipes.add(bees(".v")), await recipes.add(bees(".w"))]).toEqual([true, false]);
      const changes = [bees(".x"), bees(".y")].map((after) => recipes.change(bees(".v"), after));
      expect((await Promise.all(changes)).sort()).toEqual([false, true]);
      const stored = await recipes.get(bees("").id);
      expect([bees(".x"), bees(".y")]).toContainEqual(stored);
      expect(await recipes.change(bees(".v"), undefined)).toBe(false);
      expect(stored && (await recipes.change(stored, undefined))).toBe(true);
      expect(await own()).toEqual([]);
    });
  });
}
