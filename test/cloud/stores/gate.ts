import { describe, expect, it } from "vitest";
import type { CachedAnswer } from "../../../shared/web/chain/conditional.ts";
import { newHost } from "../../../shared/web/gate/host-state.ts";
import { type StoreTest, time } from "./world.ts";

/** What the stores of the gate promise. */
export function gateCases(world: StoreTest): void {
  describe("the gate", () => {
    it("a host, not known → as new; saved → with the next version, and not on an older one", async () => {
      const { hosts } = world.stores;
      const hostKey = `${world.id}.example`;
      expect(await hosts.load(hostKey)).toEqual(newHost(hostKey));
      const host = { ...newHost(hostKey), failures: 2 };
      expect(await hosts.save(host)).toBe(true);
      expect(await hosts.save({ ...host, failures: 3 })).toBe(false);
      expect(await hosts.load(hostKey)).toEqual({ ...host, version: 1 });
      expect(await hosts.save({ ...host, version: 1, failures: 4 })).toBe(true);
      expect(await hosts.load(hostKey)).toEqual({ ...host, version: 2, failures: 4 });
    });

    it("a robots.txt → loaded as stored, also an empty one; one that is not stored → an error", async () => {
      const { robots } = world.stores;
      for (const text of ["User-agent: *\nDisallow: /ä\n", ""]) {
        expect(await robots.load(await robots.store(`https://${world.id}.example`, text))).toBe(text);
      }
      await expect(robots.load(`robots/${world.id}-none`)).rejects.toThrow();
    });

    it("an earlier answer → recalled, the last one remembered; unknown ones are left out", async () => {
      const { validators } = world.stores;
      const answer: CachedAnswer = { etag: '"1"', bodyKey: "bodies/1", fetchedAt: time(1) };
      const lastModified = "Fri, 20 Nov 2026 19:00:00 GMT";
      const other: CachedAnswer = { lastModified, bodyKey: "bodies/2", fetchedAt: time(2) };
      const [known = "", second = "", none = ""] = ["a", "b", "none"].map((name) => `${world.id}-${name}`);
      expect(await validators.recall(known)).toBeUndefined();
      await validators.remember(known, answer);
      await validators.remember(known, other);
      await validators.remember(second, answer);
      expect(await validators.recall(known)).toEqual(other);
      expect(await validators.recallAll([known, second, none])).toEqual(
        new Map([
          [known, other],
          [second, answer],
        ]),
      );
    });

    it("the share of a host → taken up to its size, by the hour; 0 → never", async () => {
      const { hostShares } = world.stores;
      const at = (clock: string) => new Date(`2026-11-20T${clock}Z`);
      const taken = [];
      for (const clock of ["10:00:00", "10:59:59", "10:59:59", "11:00:00"]) {
        taken.push(await hostShares.take(world.id, at(clock), 2));
      }
      expect(taken).toEqual([true, true, false, true]);
      expect(await hostShares.take(`${world.id}-none`, at("10:00:00"), 0)).toBe(false);
    });

    it("the admission of a host → as marked last", async () => {
      const { hostShares } = world.stores;
      expect(await hostShares.admittedAtMs(world.id)).toBeUndefined();
      for (const atMs of [5, 7]) await hostShares.markAdmitted(world.id, atMs);
      expect(await hostShares.admittedAtMs(world.id)).toBe(7);
    });
  });
}
