import { expect, it } from "vitest";
import { printChanges } from "../../../local/start/watch-network.ts";
import type { NetworkState } from "../../../shared/web/network/probe-network.ts";

it("the flag unset, down, down, up → each change printed once, with its reason", async () => {
  const down: NetworkState = {
    state: "down",
    since: "2026-11-20T08:00:00.000Z",
    why: "no",
    isNotified: true,
  };
  const up: NetworkState = { state: "up", since: "2026-11-20T08:05:00.000Z", why: "yes", isNotified: true };
  const states = [undefined, down, down, up];
  const stop = new AbortController();
  const printed: string[] = [];
  const flag = {
    get: async () => {
      if (states.length === 1) stop.abort();
      return states.shift();
    },
  };
  await printChanges(1, { flag, print: (line) => void printed.push(line), signal: stop.signal });
  expect(printed).toEqual([
    "Our network has been down since 2026-11-20T08:00:00.000Z: no. Until it is up, nothing is requested or judged.",
    "Our network has been up since 2026-11-20T08:05:00.000Z: yes.",
  ]);
});
