import { expect, it } from "vitest";
import { runModel } from "./model.ts";

it("10,000 records that change while harvesters read them → harvesters have all and only what is there", async () => {
  expect.hasAssertions();
  await runModel(1, { items: 10_000, rounds: 1, changes: 60, atFirst: 20_000 });
});
