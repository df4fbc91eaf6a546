import { expect, it, vi } from "vitest";
import { combine } from "../../../shared/core/combine.ts";

it("five calls at the same time, three together at most → two calls, each caller its own result", async () => {
  const calls: number[][] = [];
  const double = combine(async (items: number[]) => {
    calls.push(items);
    return items.map((item) => item * 2);
  }, 3);
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(calls).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(await double(6)).toBe(12);
});

it("one of several fails them all → each is tried alone, and only that one fails", async () => {
  const half = combine(async (items: number[]) => {
    if (items.some((item) => item % 2 > 0)) throw new Error(`odd: ${items}`);
    return items.map((item) => item / 2);
  }, 10);
  expect(await Promise.allSettled([2, 3, 4].map(half))).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "rejected", reason: new Error("odd: 3") },
    { status: "fulfilled", value: 2 },
  ]);
});

it("calls that come one after the other within the time to linger → one call", async () => {
  vi.useFakeTimers();
  const calls: number[][] = [];
  const keep = combine(
    async (items: number[]) => {
      calls.push(items);
      return items;
    },
    10,
    100,
  );
  const results = [keep(1)];
  await vi.advanceTimersByTimeAsync(60);
  results.push(keep(2));
  await vi.advanceTimersByTimeAsync(60);
  results.push(keep(3));
  await vi.advanceTimersByTimeAsync(100);
  expect(await Promise.all(results)).toEqual([1, 2, 3]);
  expect(calls).toEqual([[1, 2], [3]]);
  vi.useRealTimers();
});
