import { describe, expect, it } from "vitest";
import { unfinishedRuns } from "../../../../shared/operations/today/unfinished-runs.ts";
import { sourcesTallyName } from "../../../../shared/records/runs/tally-names.ts";
import { type HostState, newHost } from "../../../../shared/web/gate/host-state.ts";
import type { NetworkState } from "../../../../shared/web/network/probe-network.ts";
import { MemoryPorts } from "../../memory-ports.ts";

const runId = "live-20261120T190000Z";
const now = new Date("2026-11-20T19:30:00Z");
const soonMs = now.getTime() + 60_000;
const soon = new Date(soonMs).toISOString();

/** The wait of a source of the host `slow.example` in this state. */
async function waitOf(state: Partial<HostState> | undefined, network?: NetworkState) {
  const memory = new MemoryPorts();
  memory.now = now;
  const [startedAt, deadlineAt] = ["2026-11-20T19:00:00Z", "2026-11-20T22:00:00Z"];
  await memory.runs.create({ runId, deliveryMode: "LIVE", state: "harvesting", startedAt, deadlineAt });
  await memory.runs.updateTally(runId, sourcesTallyName, { opened: ["s", "done"], closed: ["done"] });
  const source = { sourceId: "s", title: "S", url: "https://slow.example/feed" };
  const [run, ...others] = await unfinishedRuns(network, {
    runs: memory.runs,
    sources: { sourcesById: async () => ({ sources: [source as never], unusable: [] }) },
    hosts: { state: async () => state && { ...newHost("slow.example"), ...state } },
    clock: memory.clock,
  });
  expect([others, run?.openCount, run?.deadlineAt]).toEqual([[], 1, deadlineAt]);
  return run?.sources[0];
}

describe("a source that a run waits for", () => {
  const named = { sourceId: "s", title: "S", hostKey: "slow.example" };
  it.each([
    ["an unknown host → its turn", undefined, { waitsFor: "queue" }],
    ["a paused host", { pause: { since: soon, by: "anna", reason: "asked" } }, { waitsFor: "paused" }],
    [
      "an unavailable host → until when",
      { unavailable: { "slow.example": { untilMs: soonMs, reason: "timeouts" } } },
      { waitsFor: "unavailable", until: soon },
    ],
    ["Retry-After or back-off", { backoffUntilMs: soonMs }, { waitsFor: "back-off", until: soon }],
    ["a host that may be requested", {}, { waitsFor: "queue" }],
  ] as [string, Partial<HostState> | undefined, object][])("%s", async (_title, state, wait) => {
    expect(await waitOf(state)).toEqual({ ...named, ...wait });
  });

  it("our network is down → that, whatever its host is", async () => {
    const network: NetworkState = { state: "down", since: soon, why: "no probe", isNotified: true };
    expect(await waitOf({ backoffUntilMs: soonMs }, network)).toEqual({ ...named, waitsFor: "network" });
  });
});
