import { expect, it } from "vitest";
import { sendAtOnce, states } from "./sources-at-once.ts";

/** Other requests, and requests that are killed: `sources-at-once.long.test.ts`. */
it.each(Object.entries(states))(
  "%s; POST and DELETE at once, in every order → each change has its event, at its time",
  async (_, before) => {
    const orders = await sendAtOnce(before, ["POST", "DELETE keep"], { kills: 0, next: ["repeated"] });
    expect(orders).toBeGreaterThan(10);
  },
);
