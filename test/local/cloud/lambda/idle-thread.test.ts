import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { SmallCloud } from "../small-cloud.ts";

const small = new SmallCloud();
beforeAll(() => small.start());
afterAll(() => small.stop());
afterEach(() => vi.useRealTimers());

test("a thread that has run nothing for ten seconds → ended; the next invocation has another", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const thread = () => small.cloud.invoke("small-answer", { rawPath: "/thread" });
  const first = await thread();
  vi.advanceTimersByTime(9_000);
  expect(await thread()).toEqual(first);
  vi.advanceTimersByTime(9_000);
  expect(await thread()).toEqual(first);
  vi.advanceTimersByTime(10_000);
  expect(await thread()).not.toEqual(first);
});
