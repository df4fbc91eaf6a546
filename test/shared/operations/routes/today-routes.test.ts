import { beforeEach, expect, it, vi } from "vitest";
import type { SourceWithHeldDeletions } from "../../../../shared/harvest/oai-state/held-deletions.ts";
import type { BusyHosts } from "../../../../shared/links/capacity/busy-hosts.ts";
import type { SuppressedCollection } from "../../../../shared/links/status/suppressed-collection.ts";
import type { Share } from "../../../../shared/links/sweep/estimate.ts";
import { todaySubject } from "../../../../shared/operations/routes/today-routes.ts";
import type { DeadLetters } from "../../../../shared/operations/today/needs.ts";
import type { FailedMessageSummary } from "../../../../shared/records/messages/failed-message.ts";
import type { PausedHost, UnavailableHost } from "../../../../shared/web/gate/host-state.ts";
import type { NetworkState } from "../../../../shared/web/network/probe-network.ts";
import { serve } from "../../api/serve.ts";
import { deliver, fail, harvested, ordinary } from "../../deliver/run-world.ts";
import { MemoryPorts } from "../../memory-ports.ts";

let memory: MemoryPorts;
let network: NetworkState | undefined;
let collections: SuppressedCollection[];
let hosts: UnavailableHost[];
let letters: DeadLetters[];
let failed: FailedMessageSummary[];
let links: Share | undefined;
let paused: PausedHost[];
let held: SourceWithHeldDeletions[];
let busy: BusyHosts | undefined;
beforeEach(() => {
  memory = new MemoryPorts();
  memory.now = new Date("2026-11-20T12:00:00Z");
  network = undefined;
  links = undefined;
  [collections, hosts, paused, letters, held, failed] = [[], [], [], [], [], []];
  busy = undefined;
});

async function today() {
  const { runs, refusedRecords, status, clock } = memory;
  const app = serve([todaySubject], {
    ...{ runs, refusedRecords, status, clock, timeZone: "Europe/Berlin" },
    network: { get: async () => network },
    heldDeletions: async (limit) => held.slice(0, limit),
    driftedSources: (limit) => memory.quality.drifted(limit),
    suppressedCollections: async (limit) => collections.slice(0, limit),
    unavailableHosts: async (_now, limit) => hosts.slice(0, limit),
    pausedHosts: async (limit) => paused.slice(0, limit),
    busyHosts: { latest: async () => busy },
    deadLetters: async () => letters,
    failedMessages: { list: async () => failed },
    sources: memory.sources,
    hosts: { state: async () => undefined },
    samples: { overall: async () => links },
  });
  const answer = await app.request("/today");
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

it("nothing is wrong → no needs, and the next runs", async () => {
  expect(await today()).toEqual({
    needs: [],
    network: { state: "up" },
    runs: [],
    unfinished: [],
    nextRuns: [
      { mode: "LIVE", at: "2026-11-20T19:00:00.000Z" },
      { mode: "TEST", at: "2026-11-20T19:00:00.000Z" },
    ],
  });
});

it("everything is wrong → each with its cause, most urgent first", async () => {
  const since = "2026-11-20T11:00:00.000Z";
  network = { state: "down", since, why: "no probe was answered", isNotified: true };
  letters = [{ queue: "ingather-validate", messages: 2 }];
  collections = [{ collectionId: "bees", by: "checks", since, reason: "HTTP 404" }];
  paused = [{ hostKey: "slow.example", since, by: "anna", reason: "asked to" }];
  held = [{ sourceId: "repository", since, documents: 248, of: 250 }];
  const drift = { driftId: "d", field: "abstract" as const, since, foundIn: "r", foundAt: since };
  const [now, before] = [
    { has: 3, of: 40 },
    { has: 38, of: 40 },
  ];
  const accepted = { at: since, by: "anna" };
  await memory.quality.saveDrifts({
    ...{ sourceId: "journal", title: "J", judged: since, revision: 1 },
    drifts: [
      { ...drift, field: "doi", now, before, accepted },
      { ...drift, now, before },
    ],
  });
  busy = {
    at: since,
    intervalMs: 7_200_000,
    hosts: [{ hostKey: "busy.example", collections: 31, links: 124, neededMs: 11_160_000 }],
  };
  hosts = [{ hostKey: "j.example", what: "j.example", until: since, reason: "timeouts" }];
  harvested(memory, "live-20261119T190000Z", [...ordinary, { id: "d", urls: [], title: "" }]);
  memory.listings.set("live-20261119T190000Z source", {
    ...{ sourceId: "source", title: "S", state: "read", entries: 4, known: {}, requested: 4, dropped: [] },
  });
  await deliver("live-20261119T190000Z", memory);
  harvested(memory, "live-20261120T110000Z", []);
  await fail("upload", memory, { runId: "live-20261120T110000Z", reason: "login refused" });
  const { needs, runs } = await today();
  expect(needs).toEqual([
    { type: "network-down", since, why: "no probe was answered" },
    {
      ...{ type: "run-failed", mode: "LIVE", runId: "live-20261120T110000Z" },
      ...{ stage: "upload", reason: "login refused", at: expect.any(String) },
    },
    { type: "dead-letters", queue: "ingather-validate", messages: 2 },
    {
      ...{ type: "refused", mode: "LIVE", reason: "missing-title:245a", ruleId: "missing-title" },
      ...{ field: "245a", count: 1, sourceCount: 1 },
    },
    { type: "deletions-held", ...held[0] },
    {
      ...{ type: "quality-drifted", sourceId: "journal", title: "J" },
      fields: [{ field: "abstract", place: "520", now, before }],
    },
    { type: "collection-suppressed", collectionId: "bees", by: "checks", since, reason: "HTTP 404" },
    { type: "host-paused", ...paused[0] },
    { type: "host-unavailable", ...hosts[0] },
    {
      type: "host-overbooked",
      ...{ hostKey: "busy.example", collections: 31, links: 124, neededHours: 3.1, everyHours: 2 },
    },
  ]);
  const finished = runs.find(({ runId }: { runId: string }) => runId === "live-20261119T190000Z");
  expect(finished.figures).toEqual({
    ...{ listed: 4, delivered: 3, undelivered: 0, onlineFirst: 0, refused: 1 },
    ...{ unusable: 0, unreachable: 0, duplicates: 0, known: 0, unanswered: 0 },
  });
});

it.each([
  ["links were judged → the share of dead ones", 200, true],
  ["none was judged yet → no share", 0, false],
])("%s", async (_title, judged, isShown) => {
  const share = { from: "2026-11-06", to: "2026-11-19", judged, dead: 0, inconclusive: 1, low: 0, high: 0.1 };
  links = share;
  expect((await today()).links).toEqual(isShown ? share : undefined);
});

it("a source that was overdue at the last run and was delivered since → no longer needs anybody", async () => {
  harvested(memory, "live-20261119T190000Z", []);
  await deliver("live-20261119T190000Z", memory);
  const overdue = ["a", "b"].map((sourceId) => ({
    ...{ sourceId, title: "J", windowDays: 30, lastDeliveredAt: "2026-10-01T00:00:00.000Z" },
  }));
  memory.results.set("live-20261119T190000Z overdue", JSON.stringify({ overdue }));
  await memory.status.markDelivered("a", "2026-11-20T10:00:00.000Z");
  await memory.status.markDelivered("b", "2026-10-01T00:00:00.000Z");
  expect((await today()).needs).toEqual([{ type: "overdue", ...overdue[1] }]);
});

it("hundreds of refused reasons and failed runs → the first 20 of each kind", async () => {
  letters = Array.from({ length: 100 }, (_, n) => ({ queue: `q${n}`, messages: 1 }));
  expect((await today()).needs).toHaveLength(20);
});

it("641 sources, of which 25 have drifted → twenty of them, by one call", async () => {
  const since = "2026-11-20T11:00:00.000Z";
  const drift = { driftId: "d", field: "abstract" as const, since, foundIn: "r", foundAt: since };
  const shares = { now: { has: 3, of: 40 }, before: { has: 38, of: 40 } };
  for (let at = 0; at < 641; at += 1) {
    const drifts = at < 25 ? [{ ...drift, ...shares }] : [];
    await memory.quality.saveDrifts({ sourceId: `s${at}`, title: "J", judged: since, revision: 1, drifts });
  }
  const drifted = vi.spyOn(memory.quality, "drifted");
  const others = (["latest", "drifts"] as const).map((name) => vi.spyOn(memory.quality, name));
  const { needs } = await today();
  expect(needs).toHaveLength(20);
  expect([drifted, ...others].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0]);
});
