import { describe, expect, it } from "vitest";
import type { RecentRun } from "../../../shared/records/sources/source-status.ts";
import { type StoreTest, time } from "./world.ts";

/** What the stores of the runs and the status of sources promise. */
export function sourceStatusCases(world: StoreTest): void {
  describe("the status of a source", () => {
    it("added and delivered → the first addition and the last delivery stay; unknown ones are left out", async () => {
      const { status } = world.stores;
      for (const day of [2, 1]) await status.markAdded(world.id, time(day));
      for (const day of [4, 5, 3]) await status.markDelivered(world.id, time(day));
      expect(await status.statuses([world.id, world.id, `${world.id}-none`])).toEqual(
        new Map([[world.id, { sourceId: world.id, addedAt: time(2), lastDeliveredAt: time(5) }]]),
      );
    });

    it("runs, one of them twice → newest first, as noted last", async () => {
      const { status } = world.stores;
      const run = (day: number, delivered: number): RecentRun => {
        return { runId: `r${day}`, startedAt: time(day), state: "read", delivered };
      };
      for (const one of [run(1, 1), run(3, 3), run(2, 2), run(1, 7)]) await status.addRun(world.id, one);
      expect(await status.recentRuns([world.id])).toEqual(
        new Map([[world.id, [run(3, 3), run(2, 2), run(1, 7)]]]),
      );
    });

    it("figures of runs → newest first, in pages; saved again → in place of the earlier ones", async () => {
      const { sourceRuns } = world.stores;
      const sourceRun = (day: number, entries: number) => ({
        ...{ sourceId: world.id, runId: `r${day}`, deliveryMode: "LIVE" as const, startedAt: time(day) },
        ...{ state: "read" as const, entries, requested: 0, converted: 0, delivered: 0, undelivered: 0 },
        ...{ known: 0, onlineFirst: 0, released: 0, refused: 0, duplicates: 0, unusable: 0 },
        ...{ unreachable: 0, unanswered: 0 },
      });
      for (const [day, entries] of [
        [1, 1],
        [3, 3],
        [2, 2],
        [1, 7],
      ] as const)
        await sourceRuns.save(sourceRun(day, entries));
      const first = await sourceRuns.latest(world.id, { limit: 2 });
      expect(first).toEqual([sourceRun(3, 3), sourceRun(2, 2)]);
      expect(await sourceRuns.latest(world.id, { limit: 2, after: first[1] })).toEqual([sourceRun(1, 7)]);
    });
  });
}
