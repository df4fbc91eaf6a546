import { describe, expect, it } from "vitest";
import { type Request, sendAtOnce, states } from "./sources-at-once.ts";

const pairs: [Request, Request][] = [
  ["POST", "POST"],
  ["DELETE keep", "DELETE delete"],
  ["PATCH", "DELETE keep"],
];

describe.each(Object.entries(states))("a source: %s", (_, before) => {
  it.each(pairs)(
    "%s and %s at once, in every order → each change has its event, at its time",
    async (...both) => {
      expect(await sendAtOnce(before, both, { kills: 0, next: ["repeated"] })).toBeGreaterThan(1);
    },
  );

  it("POST and DELETE at once, in every order, one of them killed before any step → the same", async () => {
    const next = ["repeated", "POST", "DELETE delete"] as const;
    expect(await sendAtOnce(before, ["POST", "DELETE keep"], { kills: 1, next })).toBeGreaterThan(50);
  });
});
