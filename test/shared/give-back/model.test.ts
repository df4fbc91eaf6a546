import { expect, it } from "vitest";
import { runModel } from "./model.ts";

it.each(Array.from({ length: 10 }, (_, seed) => seed + 1))(
  "seed %i: writers and harvesters at once, the writer of the log killed at any write → harvesters have all and only what is there",
  async (seed) => {
    expect.hasAssertions();
    await runModel(seed, { items: 250, rounds: 6, changes: 60, atFirst: 100 });
  },
);
