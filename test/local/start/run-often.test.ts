import { expect, it } from "vitest";
import { runOften } from "../../../local/start/run-often.ts";
import { functionNames } from "../../../shared/names.ts";

it("until it is stopped → fired one time after the other, the first at once", async () => {
  const stop = new AbortController();
  const ran: string[] = [];
  const cloud = {
    invoke: async (name: string) => {
      ran.push(name);
      if (ran.length === 3) stop.abort();
    },
  };
  await runOften(functionNames.sweepCollections, 1, { cloud, signal: stop.signal });
  expect(ran).toEqual(Array(3).fill(functionNames.sweepCollections));
});
