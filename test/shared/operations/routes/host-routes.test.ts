import { describe, expect, it } from "vitest";
import { hostSubject } from "../../../../shared/operations/routes/host-routes.ts";
import { type HostState, newHost } from "../../../../shared/web/gate/host-state.ts";
import type { HostStatistics } from "../../../../shared/web/gate/host-statistics.ts";
import { serve } from "../../api/serve.ts";

const now = new Date("2026-11-20T12:00:00.000Z");
const at = (minutes: number) => now.getTime() + minutes * 60_000;

const troubled: HostState = {
  ...newHost("troubled.example"),
  lastEndedAtMs: at(-1),
  readyAtMs: at(-0.5),
  backoffUntilMs: at(5),
  failures: 4,
  givenUp: 1,
  unavailable: {
    "https://troubled.example": { untilMs: at(9), reason: "connection refused" },
    "http://troubled.example": { untilMs: at(-9), reason: "over" },
  },
  pendingExchange: { exchangeId: "e1", attempts: 2 },
  lease: { holder: "worker", untilMs: at(2), delayMs: 0 },
  robots: {
    "https://troubled.example": {
      known: { access: "rules", untilMs: at(60), fetchedAtMs: at(-60), key: "robots/x", crawlDelayMs: 5000 },
    },
    "http://troubled.example": { known: { access: "allow-all", untilMs: at(-60) } },
  },
};

const states: Record<string, HostState> = {
  "troubled.example": troubled,
  "well.example:8080": { ...newHost("well.example:8080"), lastEndedAtMs: at(-1), readyAtMs: at(1) },
  "busy.example": newHost("busy.example"),
  "idle.example": { ...newHost("idle.example"), lease: { holder: "dead", untilMs: at(-2), delayMs: 0 } },
};

const kept: Record<string, HostStatistics> = {
  "2026-10-21": { requests: 1 },
  "2026-11-20": {
    requests: 5,
    "status-2xx": 2,
    "status-5xx": 1,
    "failed-dns": 1,
    "refused-address": 1,
    "body-bad-encoding": 1,
    bytes: 900,
    "elapsed-ms": 80,
    "waited-ms": 70,
    "backoff-ms": 60,
    retries: 3,
    deferrals: 2,
  },
};

const app = serve([hostSubject], {
  clock: { now: () => now, sleep: async () => {} },
  hostPauses: { set: async () => undefined, clear: async () => undefined, list: async () => [] },
  robots: { load: async (key: string) => `# ${key}\nUser-agent: *\nDisallow: /x\n` },
  busyHosts: {
    latest: async () => ({
      at: now.toISOString(),
      intervalMs: 7_200_000,
      hosts: [{ hostKey: "busy.example", collections: 31, links: 124, neededMs: 11_160_000 }],
    }),
  },
  hosts: {
    state: async (hostKey) => states[hostKey],
    statistics: async (hostKey, days) =>
      hostKey === "troubled.example"
        ? Object.entries(kept)
            .filter(([day]) => days.includes(day))
            .map(([day, numbers]) => ({ day, numbers }))
        : [],
  },
});

async function request(path: string) {
  const answer = await app.request(path);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

describe("GET /hosts/{host}", () => {
  it("of a host in trouble → what holds its requests up, without what is over", async () => {
    expect((await request("/hosts/troubled.example")).body).toEqual({
      host: "troubled.example",
      lastRequestAt: "2026-11-20T11:59:00.000Z",
      nextAllowedAt: "2026-11-20T12:05:00.000Z",
      waitReason: "back-off",
      failures: 4,
      givenUp: 1,
      unavailable: [
        { what: "https://troubled.example", until: "2026-11-20T12:09:00.000Z", reason: "connection refused" },
      ],
      pendingExchange: { exchangeId: "e1", attempts: 2, crashes: 0 },
      leasedUntil: "2026-11-20T12:02:00.000Z",
      robots: [
        {
          origin: "https://troubled.example",
          access: "rules",
          until: "2026-11-20T13:00:00.000Z",
          fetchedAt: "2026-11-20T11:00:00.000Z",
          crawlDelayMs: 5000,
          text: "# robots/x\nUser-agent: *\nDisallow: /x\n",
        },
        { origin: "http://troubled.example", access: "unknown" },
      ],
    });
  });

  it.each([
    ["well.example:8080", { nextAllowedAt: "2026-11-20T12:01:00.000Z", waitReason: "delay" }],
    ["WELL.example.:8080", { host: "well.example:8080" }],
    ["idle.example:443", { host: "idle.example" }],
    ["busy.example", { overbooked: { collections: 31, links: 124, neededHours: 3.1, everyHours: 2 } }],
  ])("%s → %j", async (name, expected) => {
    expect(await request(`/hosts/${name}`)).toMatchObject({ status: 200, body: expected });
  });

  it("that nothing holds up → neither a time nor a lease", async () => {
    expect((await request("/hosts/idle.example")).body).toEqual({
      host: "idle.example",
      failures: 0,
      givenUp: 0,
      unavailable: [],
      robots: [],
    });
  });
});

describe("GET /hosts/{host}/statistics", () => {
  it("→ the figures of each day that is kept", async () => {
    const nothing = { statuses: {}, failures: {}, refusals: {}, bodyProblems: {}, bytes: 0 };
    const noTimes = { elapsedMs: 0, waitedMs: 0, backoffMs: 0, retries: 0, deferrals: 0 };
    expect((await request("/hosts/troubled.example/statistics")).body).toEqual({
      host: "troubled.example",
      days: [
        { day: "2026-10-21", requests: 1, ...nothing, ...noTimes },
        {
          day: "2026-11-20",
          requests: 5,
          statuses: { "2xx": 2, "5xx": 1 },
          failures: { dns: 1 },
          refusals: { address: 1 },
          bodyProblems: { "bad-encoding": 1 },
          bytes: 900,
          elapsedMs: 80,
          waitedMs: 70,
          backoffMs: 60,
          retries: 3,
          deferrals: 2,
        },
      ],
    });
  });

  it.each([
    ["?from=2026-11-20", ["2026-11-20"]],
    ["?to=2026-11-19", ["2026-10-21"]],
    ["?from=2026-11-01&to=2026-11-19", []],
  ])("%s → the days %j", async (query, expected) => {
    const { body } = await request(`/hosts/troubled.example/statistics${query}`);
    expect(body.days.map(({ day }: { day: string }) => day)).toEqual(expected);
  });
});

it.each([
  ["/hosts/unknown.example", 404, "nothing is known of the host unknown.example"],
  ["/hosts/unknown.example/statistics", 404, "nothing is known of the host unknown.example"],
  ["/hosts/two%20words", 400, "host"],
  ["/hosts/%252e", 400, "host"],
  ["/hosts/%25%32%65", 400, "host"],
  ["/hosts/%2e%25", 400, "host"],
  ["/hosts/translation-server%230", 400, "translation-server#0"],
  ["/hosts/idle.example?day=2026-11-20", 400, "day"],
  ["/hosts/idle.example/statistics?from=2026-11-20&to=2026-11-19", 400, "2026-11-19"],
  ["/hosts/idle.example/statistics?from=2026-01-01", 400, "2026-01-01"],
  ["/hosts/idle.example/statistics?from=yesterday", 400, "yesterday"],
])("%s → %i: %s", async (path, status, says) => {
  expect(await request(path)).toEqual({
    status,
    body: expect.objectContaining({ detail: expect.stringContaining(says) }),
  });
});
