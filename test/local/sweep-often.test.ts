import { expect, it } from "vitest";
import { sweepOften } from "../../local/sweep-often.ts";
import { scheduleNames } from "../../shared/names.ts";

it("until it is stopped → one sweep after the other, the first at once", async () => {
  const stop = new AbortController();
  const ran: string[] = [];
  const cloud = {
    runSchedule: async (name: string) => {
      ran.push(name);
      if (ran.length === 3) stop.abort();
    },
  };
  await sweepOften(1, { cloud, signal: stop.signal });
  expect(ran).toEqual(Array(3).fill(scheduleNames.sweepCollections));
});
