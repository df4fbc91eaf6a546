import { expect, it } from "vitest";
import { runModel } from "./model.ts";

it("2,000 records that change while harvesters read them → harvesters have all and only what is there", async () => {
  expect.hasAssertions();
  await runModel(1, { items: 2_000, rounds: 1, changes: 60, atFirst: 4_000 });
});
