import { describe, expect, it } from "vitest";
import type { Drift, SourceDrifts, SourceQuality } from "../../../shared/deliver/quality/drift.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of the quality of records promises. */
export function qualityCases(world: StoreTest): void {
  describe("the quality of a source", () => {
    const run = (day: number, records: number): SourceQuality => ({
      ...{ sourceId: world.id, runId: `r${day}`, startedAt: time(day), records },
      fields: { abstract: { has: records, repeated: 0, lengths: { 27: records } } },
    });
    const drift: Drift = {
      ...{ driftId: "d", field: "abstract", since: time(2), foundIn: "r2", foundAt: time(2) },
      ...{ now: { has: 0, of: 9 }, before: { has: 9, of: 9 } },
    };
    const drifts = (revision: number, ...all: Drift[]): SourceDrifts => ({
      ...{ sourceId: world.id, title: "T", judged: `${time(2)}#r2`, drifts: all, revision },
    });
    const listed = async () =>
      (await world.stores.driftedSources(1000)).filter(({ sourceId }) => sourceId === world.id);

    it("runs, one of them twice → newest first, before a run, since a time, as saved last", async () => {
      const { quality } = world.stores;
      for (const each of [run(1, 1), run(3, 3), run(2, 2), run(1, 7)]) await quality.save(each);
      await quality.saveDrifts(drifts(1, drift));
      expect(await quality.latest(world.id, { limit: 9 })).toEqual([run(3, 3), run(2, 2), run(1, 7)]);
      expect(await quality.latest(world.id, { limit: 1, before: run(3, 3) })).toEqual([run(2, 2)]);
      expect(await quality.latest(world.id, { limit: 9, since: time(2) })).toEqual([run(3, 3), run(2, 2)]);
      expect(await quality.latest(`${world.id}-none`, { limit: 9 })).toEqual([]);
    });

    it("drifts saved by two → only the first with a revision; listed while one of them is open", async () => {
      const { quality } = world.stores;
      expect([await quality.drifts(world.id), await listed()]).toEqual([undefined, []]);
      expect(await quality.saveDrifts(drifts(1, drift))).toBe(true);
      expect(await quality.saveDrifts(drifts(1))).toBe(false);
      expect(await quality.saveDrifts(drifts(2, drift))).toBe(true);
      expect(await quality.drifts(world.id)).toEqual(drifts(2, drift));
      expect(await listed()).toMatchObject([{ title: "T", drifts: [drift] }]);
      await quality.saveDrifts(drifts(3, { ...drift, accepted: { at: time(3), by: "anna" } }));
      expect(await listed()).toEqual([]);
    });

    it("forgotten, twice → nothing of it is left, and the first revision is free again", async () => {
      const { quality } = world.stores;
      await quality.save(run(1, 1));
      await quality.saveDrifts(drifts(1, drift));
      for (const _ of [1, 2]) await quality.forget(world.id);
      expect([await quality.latest(world.id, { limit: 9 }), await quality.drifts(world.id)]).toEqual([
        [],
        undefined,
      ]);
      expect([await listed(), await quality.saveDrifts(drifts(1))]).toEqual([[], true]);
    });
  });
}
