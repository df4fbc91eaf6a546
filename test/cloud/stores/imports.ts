import { describe, expect, it } from "vitest";
import type { ImportJob } from "../../../shared/records/sources/conf/import-job.ts";
import { type StoreTest, time } from "./world.ts";

/** What the store of imports promises. */
export function importCases(world: StoreTest): void {
  describe("an import", () => {
    const job = (): ImportJob => ({
      ...{ importId: world.id, state: "waiting", by: "operator", requestedAt: time(1) },
      ...{ allowRemovals: false, isStrict: true, total: 9, applied: 0 },
    });

    it("created → read with what it imports; changed until it is done", async () => {
      const { imports } = world.stores;
      const input = { settings: { title: "ä" } } as never;
      expect(await imports.get(world.id)).toBeUndefined();
      await imports.create(job(), input);
      expect(await imports.get(world.id)).toEqual(job());
      expect(await imports.input(world.id)).toEqual(input);
      await imports.update(world.id, { state: "running", applied: 4 });
      await imports.update(world.id, { state: "done", applied: 9, endedAt: time(2) });
      await imports.update(world.id, { state: "stopped", reason: "late" });
      const done = { ...job(), state: "done", applied: 9, endedAt: time(2) };
      expect(await imports.get(world.id)).toEqual(done);
    });
  });
}
