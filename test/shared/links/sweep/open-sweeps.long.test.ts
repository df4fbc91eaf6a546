import { it } from "vitest";
import { liveBadly } from "./bad-world.ts";

it.each(Array.from({ length: 200 }, (_, index) => index + 13))(
  "sweeps at random, seed %i → one open sweep per collection, no request in a hold, no failure unseen",
  async (seed) => void (await liveBadly(seed)),
);
