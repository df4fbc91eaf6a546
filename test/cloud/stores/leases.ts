import { describe, expect, it } from "vitest";
import type { Lease } from "../../../shared/core/lease.ts";
import { maxConcurrentCalls, translationSlots } from "../../../shared/web/translation/translation-slots.ts";
import type { StoreTest } from "./world.ts";

/** The rules of leases, whichever store holds them. Times are those of the tests. */
export function leaseCases(world: StoreTest): void {
  describe("a lease", () => {
    const lease = (holder: string, untilMs: number): Lease => ({ key: world.id, holder, untilMs });
    const claim = (holder: string, nowMs: number) =>
      world.stores.leases.claim(lease(holder, nowMs + 1000), nowMs);
    const release = (holder: string) => world.stores.leases.release({ key: world.id, holder });

    it("claimed by several at once → one has it, and all know which", async () => {
      const holders = Array.from({ length: 8 }, (_, index) => `holder-${index}`);
      const claimed = await Promise.all(holders.map((holder) => claim(holder, 0)));
      const winners = new Set(claimed.map(({ holder }) => holder));
      expect(winners.size).toBe(1);
      expect(holders).toContain([...winners][0]);
    });

    it("in force → another holder gets it with its end and its note", async () => {
      const first = { ...lease("first", 1000), note: { by: "the first" } };
      expect(await world.stores.leases.claim(first, 0)).toEqual(first);
      expect(await claim("second", 999)).toEqual(first);
    });

    it("run out → free; its former holder learns who has it, and cannot release it", async () => {
      await claim("first", 0);
      expect(await claim("second", 1000)).toEqual(lease("second", 2000));
      expect(await claim("first", 1500)).toEqual(lease("second", 2000));
      await release("first");
      expect(await claim("third", 1500)).toEqual(lease("second", 2000));
    });

    it("released by another → still in force; by its holder → free; twice → no matter", async () => {
      await claim("first", 0);
      await release("second");
      expect(await claim("second", 500)).toEqual(lease("first", 1000));
      for (let times = 0; times < 2; times += 1) await release("first");
      expect(await claim("second", 500)).toEqual(lease("second", 1500));
    });

    it("claimed again by its holder, as the answer was lost or more time is needed → extended", async () => {
      for (const nowMs of [0, 0, 900]) {
        expect(await claim("first", nowMs)).toEqual(lease("first", nowMs + 1000));
      }
      expect(await claim("second", 1899)).toEqual(lease("first", 1900));
      // Nobody else has come since it ran out.
      expect(await claim("first", 5000)).toEqual(lease("first", 6000));
    });

    it("of several keys → those in force are named", async () => {
      const keys = [0, 1, 2, 3].map((number) => `${world.id}-${number}`);
      const [inForce = "", runOut = "", released = ""] = keys;
      for (const key of [inForce, released]) {
        await world.stores.leases.claim({ key, holder: "h", untilMs: 1000 }, 0);
      }
      await world.stores.leases.claim({ key: runOut, holder: "h", untilMs: 500 }, 0);
      await world.stores.leases.release({ key: released, holder: "h" });
      expect(await world.stores.leases.leasedKeys(keys, 500)).toEqual(new Set([inForce]));
    });
  });

  it("slots of the translation server → fifteen at once; free when released or run out", async () => {
    let nowMs = 0;
    const { leases } = world.stores;
    const clock = { now: () => new Date(nowMs) };
    const slots = translationSlots({ leases, clock, random: () => 0.5 });
    const claims = Array.from({ length: maxConcurrentCalls + 5 }, () => slots.claim(1000));
    const taken = (await Promise.all(claims)).filter((slot) => slot !== undefined);
    expect(taken).toHaveLength(maxConcurrentCalls);
    expect(await slots.claim(1000)).toBeUndefined();
    await taken[7]?.release();
    expect(await slots.claim(500)).toBeDefined();
    nowMs = 500;
    expect(await slots.claim(5000)).toBeDefined();
    nowMs = 999;
    expect(await slots.claim(1000)).toBeUndefined();
    nowMs = 1000;
    expect(await slots.claim(1000)).toBeDefined();
  });
}
