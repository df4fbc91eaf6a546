import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { LyingModel } from "./lying-model.ts";

const worlds = 5;
const pollsOfWorld = 200;
const pollsUntilSettled = 20;

describe("a repository that shifts, truncates, repeats, lies about its size, loses tokens and forgets tombstones", () => {
  it.each(Array.from({ length: worlds }, (_, seed) => seed + 101))(
    "world %i, for 200 polls → no event is wrong; what is called complete is; two honest full lists delete all that is gone, each time",
    async (seed) => {
      const model = new LyingModel(seededRandom(seed));
      for (let polls = 1; polls <= pollsOfWorld; polls += 1) {
        await model.poll();
        if (polls % pollsUntilSettled === 0) {
          await model.settle();
          expect(model.present, model.conducts.slice(-pollsUntilSettled).join("; ")).toEqual(
            model.repository.existing,
          );
        }
        expect(model.faults, model.conducts.slice(-3).join("; ")).toEqual([]);
      }
      // The worlds are drawn so that each kind of event is common.
      for (const type of ["new", "opened", "deleted"])
        expect(model.counts[`document.${type}`]).toBeGreaterThan(100);
      for (const type of ["complete", "shifting"]) expect(model.counts[`list ${type}`]).toBeGreaterThan(20);
    },
  );

  it("40 more worlds, for their first 5 polls → the same of first lists", async () => {
    for (let seed = 201; seed <= 240; seed += 1) {
      const model = new LyingModel(seededRandom(seed));
      for (let polls = 1; polls <= 5; polls += 1) await model.poll();
      expect(model.faults, `world ${seed}: ${model.conducts.join("; ")}`).toEqual([]);
    }
  });
});
