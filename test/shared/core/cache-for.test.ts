import { expect, it } from "vitest";
import { cacheFor } from "../../../shared/core/cache-for.ts";

it("read again only after its time, once for all callers; a failed read is repeated at once", async () => {
  let nowMs = 0;
  let reads = 0;
  let fails = false;
  const read = async () => {
    reads += 1;
    if (fails) throw new Error("no answer");
    return reads;
  };
  const kept = cacheFor(1000, read, { now: () => new Date(nowMs) });
  expect(await Promise.all([kept(), kept()])).toEqual([1, 1]);
  nowMs = 999;
  expect(await kept()).toBe(1);
  nowMs = 1000;
  fails = true;
  await expect(kept()).rejects.toThrow("no answer");
  fails = false;
  expect(await kept()).toBe(3);
  nowMs = 1999;
  expect(await kept()).toBe(3);
});
