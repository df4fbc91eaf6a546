import { describe, expect, it } from "vitest";
import {
  ruleKey,
  type ValidationRule,
  type ValidationRuleStore,
} from "../../../shared/deliver/validation/rule.ts";
import type { StoreTest } from "./world.ts";

/** What the store of validation rules promises. */
export function ruleCases(world: StoreTest): void {
  describe("the rules", () => {
    const about = (source: string | null, subfield: string): ValidationRule => ({
      source,
      recordType: "regular",
      tag: "245",
      subfield,
      presence: "always",
      regex: null,
    });
    const keysOn = async (page: Parameters<ValidationRuleStore["page"]>[0]) =>
      (await world.stores.rules.page(page)).map(ruleKey);

    it("more than a page holds → in the order of their keys, of one source alone when requested", async () => {
      for (const subfield of ["c", "a", "b"])
        for (const source of [world.id, `${world.id} regular`, `${world.id}-other`])
          await world.stores.rules.put(about(source, subfield));
      const key = (subfield: string) => `${world.id} regular 245 ${subfield}`;
      expect(await keysOn({ source: world.id, limit: 2 })).toEqual([key("a"), key("b")]);
      expect(await keysOn({ source: world.id, limit: 2, after: key("b") })).toEqual([key("c")]);
      expect(await keysOn({ source: world.id, limit: 9, after: "!" })).toEqual(["a", "b", "c"].map(key));
      expect(await keysOn({ source: world.id, limit: 9, after: key("c") })).toEqual([]);
      expect(await keysOn({ limit: 2, after: key("b") })).toEqual([
        key("c"),
        `${world.id} regular regular 245 a`,
      ]);
    });

    it("added twice → the first one stays", async () => {
      const { rules } = world.stores;
      const first = about(world.id, "z");
      expect(await rules.add(first)).toBe(true);
      expect(await rules.add({ ...first, regex: "^B" })).toBe(false);
      expect(await rules.get(first)).toEqual(first);
    });

    it("changed as it was read → written; otherwise not", async () => {
      const { rules } = world.stores;
      const read = about(world.id, "a");
      expect(await rules.get(read)).toBeUndefined();
      expect(await rules.change(read, read)).toBe(false);
      await rules.put(read);
      expect(await rules.get(read)).toEqual(read);
      const changed = { ...read, regex: "^A" };
      expect(await rules.change(read, changed)).toBe(true);
      expect(await rules.change(read, undefined)).toBe(false);
      expect(await rules.get(read)).toEqual(changed);
      expect(await rules.change(changed, undefined)).toBe(true);
      expect(await rules.get(read)).toBeUndefined();
    });
  });
}
