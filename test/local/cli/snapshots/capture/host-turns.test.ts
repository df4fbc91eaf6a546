import { expect, it } from "vitest";
import { HostTurns } from "../../../../../local/cli/snapshots/capture/host-turns.ts";

it("work of two threads for one host → one at a time, also after an error; other hosts do not wait", async () => {
  const slots = HostTurns.slots();
  const threads = [new HostTurns(slots), new HostTurns(slots)];
  let running = 0;
  let most = 0;
  const work = async (number: number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (number === 3) throw new Error("reset");
    return number;
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, number) => threads[number % 2]?.take("a.example", () => work(number))),
  );
  expect(most).toBe(1);
  expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(
    Array.from({ length: 10 }, (_, number) => number !== 3),
  );
  const held = Promise.withResolvers<void>();
  const first = threads[0]?.take("a.example", () => held.promise);
  expect(await threads[1]?.take("b.example", async () => "at once")).toBe("at once");
  held.resolve();
  await first;
});
