import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ThrottledError } from "../../../../shared/core/errors.ts";
import { BodyMemory } from "../../../../shared/web/exchange/body-memory.ts";

describe("BodyMemory", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("a free place → taken at once, once", () => {
    const place = new BodyMemory(1).open();
    expect([place.take(), place.take()]).toEqual([undefined, undefined]);
  });

  it("no free place → waits in order, until one is released", async () => {
    const memory = new BodyMemory(1);
    const places = [memory.open(), memory.open(), memory.open()] as const;
    const taken: number[] = [];
    for (const [index, place] of places.entries()) void place.take()?.then(() => taken.push(index));
    await vi.advanceTimersByTimeAsync(1000);
    expect(taken).toEqual([]);
    places[0].release();
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual([1]);
    places[1].release();
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual([1, 2]);
  });

  it("released twice, or without having been taken → counts once, or not at all", async () => {
    const memory = new BodyMemory(1);
    const [first, unused, second, third] = [memory.open(), memory.open(), memory.open(), memory.open()];
    first.take();
    unused.release();
    first.release();
    first.release();
    expect(second.take()).toBeUndefined();
    expect(third.take()).toBeInstanceOf(Promise);
  });

  it("released while it waits → the next one gets what it would have got", async () => {
    const memory = new BodyMemory(1);
    const [first, second, third] = [memory.open(), memory.open(), memory.open()];
    first.take();
    void second.take();
    const last = third.take();
    second.release();
    first.release();
    await expect(last).resolves.toBeUndefined();
  });

  it("no place within 20 s → ThrottledError, and the place goes to the next one", async () => {
    const memory = new BodyMemory(1);
    const [first, second, third] = [memory.open(), memory.open(), memory.open()];
    first.take();
    const waiting = expect(second.take()).rejects.toThrow(ThrottledError);
    await vi.advanceTimersByTimeAsync(20_000);
    await waiting;
    first.release();
    expect(third.take()).toBeUndefined();
  });
});
