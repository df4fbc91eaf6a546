import { describe, expect, it } from "vitest";
import { inParallel } from "../../../shared/core/in-parallel.ts";
import type { Item } from "../../../shared/harvest/items/item.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of items promises. */
export function itemCases(world: StoreTest): void {
  describe("items", () => {
    const items = () => world.stores.items;
    const item = (itemId: string, more: Partial<Item> = {}): Item => ({
      documentId: `document-${world.id}`,
      itemId,
      sourceId: "s",
      url: `https://s.example/${itemId}.pdf`,
      state: "refused",
      documentVersion: 1,
      versions: [],
      outbox: [],
      revision: 1,
      ...more,
    });

    it("saved → read and listed as it is; on another revision → not saved", async () => {
      expect(await items().get(item("a"))).toBeUndefined();
      expect(await items().save(item("a", { problem: { reason: "none", at: time(1) } }))).toBe(true);
      expect(await items().save(item("a"))).toBe(false);
      expect(await items().save(item("b"))).toBe(true);
      expect(await items().save(item("a", { revision: 2 }))).toBe(true);
      expect(await items().save(item("a", { revision: 2 }))).toBe(false);
      expect(await items().get(item("a"))).toEqual(item("a", { revision: 2 }));
      expect(await items().list(item("a").documentId)).toEqual([item("a", { revision: 2 }), item("b")]);
    });

    it("with pending events → listed when older than a time; without → no longer", async () => {
      await items().save(item("p", { pendingSince: time(2) }));
      const mine = async (before: string) =>
        (await items().listPending(before, 1000)).filter((key) => key.documentId === item("p").documentId);
      expect(await mine(time(2))).toEqual([]);
      expect(await mine(time(3))).toEqual([{ documentId: item("p").documentId, itemId: "p" }]);
      await items().save(item("p", { revision: 2 }));
      expect(await mine(time(3))).toEqual([]);
    });

    it("missing → listed for its source, and not as pending; decided → no longer", async () => {
      const sourceId = `source-${world.id}`;
      const missed = (itemId: string, minute: number, more: Partial<Item> = {}) =>
        item(itemId, {
          sourceId,
          state: "present",
          missing: { reason: "gone", at: time(minute) },
          pendingSince: time(minute),
          ...more,
        });
      await items().save(missed("m2", 2));
      await items().save(missed("m1", 1));
      const ids = async (limit = 10) =>
        (await items().listMissing(sourceId, limit)).map(({ itemId }) => itemId).sort();
      expect(await ids()).toEqual(["m1", "m2"]);
      expect(await ids(1)).toHaveLength(1);
      expect(await items().get(item("m1"))).toEqual(missed("m1", 1));
      const before = time(3);
      const pending = (await items().listPending(before, 1000)).filter(
        ({ documentId }) => documentId === item("m1").documentId,
      );
      expect(pending).toEqual([]);
      await items().save(item("m1", { sourceId, revision: 2 }));
      expect(await ids()).toEqual(["m2"]);
      expect(await items().countMissing(sourceId)).toBe(1);
    });

    it("1,100 missing → all counted, a page at a time", async () => {
      const sourceId = `many-${world.id}`;
      const missing = { reason: "gone", at: time(1) };
      const all = Array.from({ length: 1_100 }, (_, number) =>
        item(`m${number}`, { sourceId, state: "present", missing, pendingSince: time(1) }),
      );
      await inParallel(all, 16, (each) => items().save(each));
      expect(await items().countMissing(sourceId)).toBe(1_100);
      expect(await items().listMissing(sourceId, 1_050)).toHaveLength(1_050);
    });
  });
}
