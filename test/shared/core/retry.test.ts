import { describe, expect, it } from "vitest";
import { ConfigError, RemoteError } from "../../../shared/core/errors.ts";
import { retryWithin } from "../../../shared/core/retry.ts";

/** A retry on a clock that only pauses move; the work fails so often, then succeeds. */
function begin({ untilMs = Number.POSITIVE_INFINITY } = {}) {
  const pauses: number[] = [];
  let nowMs = 0;
  const clock = {
    now: () => new Date(nowMs),
    sleep: async (ms: number) => {
      pauses.push(ms);
      nowMs += ms;
    },
  };
  const retry = retryWithin({ clock, random: () => 1, untilMs });
  let calls = 0;
  const work = (failures: number, error: Error = new Error("no answer")) => {
    let left = failures;
    return retry(async () => {
      calls += 1;
      left -= 1;
      if (left >= 0) throw error;
      return "done";
    });
  };
  return { work, pauses, callCount: () => calls };
}

describe("retryWithin", () => {
  it("a call that fails six times → its result, after pauses that double", async () => {
    const { work, pauses } = begin();
    expect(await work(6)).toBe("done");
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200]);
  });

  it("a call that fails seven times → its error", async () => {
    const { work, callCount } = begin();
    await expect(work(7)).rejects.toThrow("no answer");
    expect(callCount()).toBe(7);
  });

  it.each([
    ["a refusal by a receiver", new RemoteError("no")],
    ["a wrong deployment", new ConfigError("no")],
    ["a bug", new TypeError("no")],
  ])("%s → no retry", async (_what, error) => {
    const { work, callCount } = begin();
    await expect(work(1, error)).rejects.toBe(error);
    expect(callCount()).toBe(1);
  });

  it("everything fails → a hundred retries in all, then none", async () => {
    const { work, callCount } = begin();
    for (let calls = 0; calls < 50; calls += 1) await work(99).catch(() => {});
    expect(callCount()).toBe(100 + 50);
  });

  it("two of a hundred calls fail, without end → all are retried", async () => {
    const { work } = begin();
    for (let calls = 0; calls < 10_000; calls += 1) expect(await work(calls % 50 === 0 ? 1 : 0)).toBe("done");
  });

  it("the time is over → no retry", async () => {
    const { work, callCount } = begin({ untilMs: 300 });
    await expect(work(6)).rejects.toThrow("no answer");
    expect(callCount()).toBe(3);
  });
});
