import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { LyingModel } from "./lying-model.ts";

/** The thousand polls are in `lying-repository.long.test.ts`. */
describe("a repository that lies at random", () => {
  it.each([1, 2])(
    "world %i, for 30 polls → events are true; then all that is gone is deleted",
    async (seed) => {
      const model = new LyingModel(seededRandom(seed));
      for (let polls = 0; polls < 30; polls += 1) await model.poll();
      await model.settle();
      expect(model.faults).toEqual([]);
      expect(model.present).toEqual(model.repository.existing);
    },
  );
});
