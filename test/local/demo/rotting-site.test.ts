import { afterEach, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local/demo/loopback-server.ts";
import { rottingSitePaths, startRottingSite } from "../../../local/demo/rotting-site.ts";

let site: LoopbackServer | undefined;
afterEach(() => site?.close());

it("whole, then gone with status 200, then whole again, counted from the first visit", async () => {
  let nowMs = 0;
  const clock = { now: () => new Date(nowMs), sleep: async () => {} };
  site = await startRottingSite({ port: 0, rotsAfterMs: 100, rotsForMs: 50, clock });
  nowMs = 1000;
  const seen: [sinceMs: number, isGone: boolean][] = [];
  for (const sinceMs of [0, 99, 100, 149, 150]) {
    nowMs = 1000 + sinceMs;
    const answer = await fetch(site.origin + rottingSitePaths[0]);
    expect(answer.status).toBe(200);
    seen.push([sinceMs, (await answer.text()).includes('<p class="error">')]);
  }
  expect(seen).toEqual([
    [0, false],
    [99, false],
    [100, true],
    [149, true],
    [150, false],
  ]);
  expect((await fetch(`${site.origin}/elsewhere`)).status).toBe(404);
});
