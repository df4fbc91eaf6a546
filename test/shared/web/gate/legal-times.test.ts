import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { gatePolicy } from "../../../../shared/web/gate/gate-policy.ts";
import { type HostState, newHost } from "../../../../shared/web/gate/host-state.ts";
import { describeHost } from "../../../../shared/web/gate/host-status.ts";
import { idleWaitMs } from "../../../../shared/web/gate/idle-host.ts";
import { withLegalTimes } from "../../../../shared/web/gate/legal-times.ts";
import { GateWorld, startMs } from "../gate-world.ts";

const hostKey = "journal.example";
const url = `https://${hostKey}/a`;
const hourMs = 3_600_000;
const nextYearMs = startMs + 365 * 24 * hourMs;
const robots = (untilMs: number) => ({
  [`https://${hostKey}`]: { known: { access: "disallow-all" as const, untilMs, reason: "why" } },
});

/** The longest a request may wait, by what a clock that was ahead has written. */
const cases: [name: string, state: Partial<HostState>, longestMs: number][] = [
  ["readyAtMs", { readyAtMs: nextYearMs }, hourMs],
  ["backoffUntilMs", { backoffUntilMs: nextYearMs, failures: 1 }, hourMs],
  ["lastEndedAtMs", { lastEndedAtMs: nextYearMs, readyAtMs: startMs }, 2000],
  ["lease", { lease: { holder: "that", untilMs: nextYearMs, delayMs: 1000 } }, 2 * hourMs],
  ["robots", { robots: robots(nextYearMs) }, 2000],
];

describe("a clock that was ahead by a year", () => {
  it.each(cases)(
    "set %s → the request is made within the longest legal wait, and it is said once",
    async (name, state, longestMs) => {
      const said: string[] = [];
      const world = new GateWorld({}, {}, { reportCorrected: (_host, times) => void said.push(...times) });
      world.hosts.set(hostKey, { ...newHost(hostKey), ...state });
      await world.serveToTheEnd([{ url }]);
      expect(world.outcomes).toEqual([200]);
      expect(world.nowMs - startMs).toBeLessThanOrEqual(longestMs + 10_000);
      expect(said).toEqual([name]);
    },
  );

  it("set it unavailable → for ten minutes at most", async () => {
    const world = new GateWorld({});
    const unavailable = { [hostKey]: { untilMs: nextYearMs, reason: "why" } };
    world.hosts.set(hostKey, { ...newHost(hostKey), unavailable });
    await world.serve([{ url }]);
    world.nowMs += 600_001;
    await world.serve([{ url, id: "later" }]);
    expect(world.outcomes).toEqual(["failed unavailable", 200]);
  });

  it.each(cases.slice(0, 4))(
    "set %s → a reader's request goes to the gate, which corrects it",
    (_name, state) => {
      expect(idleWaitMs({ ...newHost(hostKey), ...state }, undefined, startMs)).toBeLessThanOrEqual(2000);
    },
  );

  it("set readyAtMs → the host's page says so", () => {
    const state = { ...newHost(hostKey), readyAtMs: nextYearMs };
    expect(describeHost(state, new Date(startMs)).waitReason).toBe("wrong-clock");
  });
});

it("times that a correct clock sets, or one a minute ahead → are unchanged", () => {
  const policy = gatePolicy({ defaultDelayMs: 7 * hourMs, maxAttempts: 3, backoffBaseMs: 1000 });
  const random = seededRandom(1);
  const upTo = (ms: number) => startMs + Math.floor(random() * (ms + 60_000));
  for (let tries = 0; tries < 200; tries += 1) {
    const host: HostState = {
      ...newHost(hostKey),
      readyAtMs: upTo(7 * hourMs),
      backoffUntilMs: upTo(hourMs),
      lastEndedAtMs: upTo(0),
      lease: { holder: "that", untilMs: upTo(policy.streamMaxMs + 7 * hourMs), delayMs: 7 * hourMs },
      unavailable: { [hostKey]: { untilMs: upTo(600_000), reason: "why" } },
      robots: robots(upTo(24 * hourMs)),
    };
    expect(withLegalTimes(host, startMs, policy)).toEqual({ host, corrected: [] });
  }
});
