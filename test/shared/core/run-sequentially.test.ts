import { describe, expect, it } from "vitest";
import { runSequentially } from "../../../shared/core/run-sequentially.ts";

describe("runSequentially", () => {
  it("calls at the same time → one after the other, each read before the next begins", async () => {
    const told: string[] = [];
    const get = runSequentially(async (name: string) => {
      told.push(`${name} begins`);
      await new Promise<void>((resolve) => setImmediate(resolve));
      return name;
    });
    const read = async (name: string) => void told.push(`${await get(name)} is read`);
    await Promise.all(["a", "b", "c"].map(read));
    expect(told).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} is read`]));
  });

  it("a call that fails → an error for its caller alone", async () => {
    const get = runSequentially(async (name: string) => {
      if (name === "bad") throw new Error("bad");
      return name;
    });
    const results = await Promise.allSettled(["a", "bad", "b"].map((name) => get(name)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});
