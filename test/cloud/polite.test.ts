import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryHosts, memoryRobots } from "../../local/cli/memory/gate-stores.ts";
import { seededRandom } from "../../local/cloud/seeded-random.ts";
import { systemClock } from "../../shared/core/clock.ts";
import { defaultAddressPolicy } from "../../shared/web/address/admit-url.ts";
import { hostKeyOf } from "../../shared/web/address/host-key.ts";
import { gatePolicy } from "../../shared/web/gate/gate-policy.ts";
import type { GatePorts, GateSettings } from "../../shared/web/gate/gate-ports.ts";
import { requestKinds } from "../../shared/web/request/kinds.ts";
import { exchangeId, type NewRequest } from "../../shared/web/request/request.ts";
import { type CountingProvider, type RecordedExchange, startProvider } from "./counting-provider.ts";
import { FifoQueue } from "./fifo-queue.ts";
import { KillableWorker } from "./killable-worker.ts";

const hostCount = 50;
const requestCount = 2_000;
const workerCount = 20;
const killCount = 80;

/** Linux answers on all of 127/8. */
const addresses = Array.from({ length: hostCount }, (_, index) => `127.0.1.${index + 1}`);
const crawlDelayMs = 60;

/** Hosts that never answer as they should, one for each link status, and how often each is wanted. */
const troubled = {
  begging: "127.0.2.1",
  unwilling: "127.0.2.2",
  failing: "127.0.2.3",
  resetting: "127.0.2.4",
};
const troubledRequests = 5;
const maxAttempts = 4;
/** Of the requests to a host that is in trouble so many get all attempts, the others one each. */
const triedInFull = 2;
const backoffBaseMs = 50;
const backoffMaxMs = 500;
const retryAfterSeconds = 1;

/** A path names its own response: `/redirect/r7?delay=30`. */
const linkStatuses = [
  "page",
  "page",
  "page",
  "page",
  "page",
  "missing",
  "slow",
  "busy",
  "redirect",
  "forbidden",
];

function troubledRequestsOf(port: number): NewRequest[] {
  return Object.entries(troubled).flatMap(([linkStatus, address]) =>
    Array.from({ length: troubledRequests }, (_, index) => ({
      id: `${linkStatus}${index}`,
      kind: "link" as const,
      url: `http://${address}:${port}/${linkStatus}/${linkStatus}${index}?delay=10`,
      throttleMs: 10,
      obeyRobots: false,
    })),
  );
}

function requestsOf(random: () => number, port: number): NewRequest[] {
  return Array.from({ length: requestCount }, (_, index) => {
    const address = addresses[Math.floor(random() * hostCount)] ?? "";
    const throttleMs = isInNoHaste(address) ? 10 + Math.floor(random() * 40) : 0;
    const linkStatus = linkStatuses[Math.floor(random() * linkStatuses.length)];
    return {
      id: `r${index}`,
      kind: requestKinds[index % requestKinds.length] ?? "feed",
      url: `http://${address}:${port}/${linkStatus}/r${index}?delay=${throttleMs}`,
      throttleMs,
    };
  });
}

/** The others are requested while their last answer is still being stored. */
function isInNoHaste(address: string): boolean {
  return Number(address.split(".")[3]) % 5 !== 1;
}

function hasCrawlDelay(address: string): boolean {
  return Number(address.split(".")[3]) % 5 === 0;
}

let provider: CountingProvider;
let kills = 0;
const outcomes = new Map<string, string>();
const putAside: string[] = [];
const wanted = new Map<string, NewRequest>();

beforeAll(async () => {
  const random = seededRandom(20_261_120);
  const everyAddress = [...addresses, ...Object.values(troubled)];
  provider = await startProvider(everyAddress, (address, path, time) => {
    const [, linkStatus, id] = path.split(/[/?]/);
    if (linkStatus === "robots.txt") {
      const delay = hasCrawlDelay(address) ? `Crawl-delay: ${crawlDelayMs / 1000}\n` : "";
      return { status: 200, body: `User-agent: *\n${delay}Disallow: /forbidden/\n` };
    }
    if (linkStatus === "begging")
      return { status: 429, headers: { "retry-after": String(retryAfterSeconds) } };
    if (linkStatus === "unwilling")
      return { status: 503, headers: { "retry-after": String(retryAfterSeconds) } };
    if (linkStatus === "failing") return { status: 500 };
    if (linkStatus === "resetting") return "reset";
    if (linkStatus === "missing") return { status: 404, body: "nothing here" };
    if (linkStatus === "busy" && time === 1) return { status: 503, headers: { "retry-after": "0" } };
    if (linkStatus === "redirect") {
      const other = addresses[(addresses.indexOf(address) + 7) % hostCount];
      const location = `http://${other}:${provider.port}/page/${id}?${path.split("?")[1]}`;
      return { status: 302, headers: { location } };
    }
    return { status: 200, body: `the page ${id}`, afterMs: linkStatus === "slow" ? 150 : 10 };
  });
  const requests = [...requestsOf(random, provider.port), ...troubledRequestsOf(provider.port)];
  for (const request of requests) wanted.set(request.id, request);

  // Shorter than a batch takes: now and then two workers have the same group, as after a wrong setting on AWS.
  const queue = new FifoQueue(400);
  const ports: Omit<GatePorts, "exchange" | "returnToQueue" | "hasTime"> = {
    hosts: memoryHosts(),
    robots: memoryRobots(),
    storeBody: async (id) => `bodies/${id}`,
    passBody: async (id) => `bodies/${id}`,
    streamBody: async (id) => `bodies/${id}`,
    respond: async ({ request, outcome }) => {
      const told = outcome.type === "answered" ? String(outcome.status) : `${outcome.type} ${outcome.reason}`;
      // The readers know a repeated answer by the id of its request.
      if (!outcomes.has(request.id)) outcomes.set(request.id, told);
    },
    enqueue: async (request) =>
      queue.send(hostKeyOf(request.url), JSON.stringify(request), exchangeId(request)),
    deadLetter: async ({ body }) => void putAside.push(JSON.parse(body).id),
    networkIsDown: async () => false,
    whyWithdrawn: async () => undefined,
    delays: async () => undefined,
    chooseTransport: undefined,
    validators: undefined,
    statistics: undefined,
    bodyMemory: undefined,
    waitsInside: async (waitMs) => waitMs <= 2000,
    clock: systemClock,
    random,
  };
  const policy = gatePolicy({
    defaultDelayMs: 20,
    maxAttempts,
    backoffBaseMs,
    backoffMaxMs,
    // Nobody needs so long, not on a busy machine either; the lease of one who is killed lasts so long.
    exchangeMaxMs: 2000,
  });
  const allowedPrivateHosts = new Set(everyAddress.map((address) => `${address}:${provider.port}`));
  const settingsOf = (holder: string): GateSettings => ({
    policy,
    addresses: { ...defaultAddressPolicy, allowedPrivateHosts },
    userAgent: "Ingather/test",
    holder,
  });

  // Some messages come late, and some twice under another id.
  let unsent = requests.length;
  for (const request of requests) {
    const isLate = random() < 0.2;
    const isRepeated = random() < 0.05;
    setTimeout(
      () => {
        queue.send(hostKeyOf(request.url), JSON.stringify(request), request.id);
        if (isRepeated) queue.send(hostKeyOf(request.url), JSON.stringify(request), `${request.id} again`);
        unsent--;
      },
      isLate ? random() * 3_000 : 0,
    );
  }

  const workers: KillableWorker[] = [];
  const employ = (index: number) => {
    const worker = new KillableWorker();
    workers[index] = worker;
    const settings = settingsOf(`worker-${index}-${kills}`);
    void worker.work(queue, ports, { settings, invocationMs: 20_000, losesDeletion: () => random() < 0.03 });
  };
  for (let index = 0; index < workerCount; index++) employ(index);
  while (unsent > 0 || !queue.isEmpty) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const index = Math.floor(random() * workerCount);
    if (kills < killCount && workers[index]?.isBusy) {
      workers[index].kill();
      kills++;
      employ(index);
    }
  }
  for (const worker of workers) worker.kill();
});
afterAll(() => provider.close());

function all(): [address: string, RecordedExchange[]][] {
  return [...provider.exchanges];
}

/** The times between the exchanges of a host, its robots.txt left out, by its clock. */
function gapsOf(address: string): number[] {
  const exchanges = (provider.exchanges.get(address) ?? []).filter(({ path }) => path !== "/robots.txt");
  return exchanges.slice(1).map(({ startMs }, index) => startMs - (exchanges[index]?.endMs ?? 0));
}

/** The delay that is owed after a request: its own, or its host's Crawl-delay when that is longer. */
function delayAfter(address: string, path: string): number {
  const ownMs = Number(/delay=(\d+)/.exec(path)?.[1] ?? (isInNoHaste(address) ? 10 : 0));
  return Math.max(ownMs, hasCrawlDelay(address) ? crawlDelayMs : 0);
}

describe(`${requestCount} requests to ${hostCount} hosts, ${killCount} workers killed`, () => {
  it("the hosts were requested, and the workers killed", () => {
    expect(kills).toBe(killCount);
    const asked = addresses.map((address) => provider.exchanges.get(address)?.length ?? 0);
    expect(Math.min(...asked)).toBeGreaterThan(20);
    expect(
      all().flatMap(([, exchanges]) => exchanges.filter(({ isComplete }) => !isComplete)).length,
    ).toBeGreaterThan(0);
  });

  it("no host saw two requests at once", () => {
    expect(all().flatMap(([, exchanges]) => exchanges.filter(({ concurrent }) => concurrent > 0))).toEqual(
      [],
    );
  });

  it("between any two requests to a host lay at least the delay, by the host's clock", () => {
    const tooEarly = all().flatMap(([address, exchanges]) =>
      exchanges.slice(1).flatMap(({ path, startMs }, index) => {
        const before = exchanges[index];
        if (before === undefined) return [];
        const gapMs = startMs - before.endMs;
        return gapMs < delayAfter(address, before.path)
          ? [{ address, before: before.path, path, gapMs }]
          : [];
      }),
    );
    expect(tooEarly).toEqual([]);
  });

  it.each([
    ["begging", retryAfterSeconds * 1000],
    ["unwilling", retryAfterSeconds * 1000],
    ["failing", 0.75 * backoffBaseMs],
    ["resetting", 0.75 * backoffBaseMs],
  ] as const)("a %s host was left alone for at least %i ms after each exchange", (linkStatus, leastMs) => {
    const gaps = gapsOf(troubled[linkStatus]);
    const exchanges = triedInFull * maxAttempts + troubledRequests - triedInFull;
    expect(gaps.length).toBeGreaterThanOrEqual(exchanges - 1);
    expect(gaps.filter((gapMs) => gapMs < leastMs)).toEqual([]);
  });

  it.each(["failing", "resetting"] as const)(
    "the %s host → requested at longer and longer intervals",
    (linkStatus) => {
      // The longest back-off is reached with the fifth exchange; a kill may make us forget a few.
      const last = gapsOf(troubled[linkStatus]).slice(8);
      expect(last).not.toEqual([]);
      expect(Math.min(...last)).toBeGreaterThanOrEqual(0.75 * backoffMaxMs);
    },
  );

  it("every request was answered once, or moved to the dead-letter queue", () => {
    const unheard = [...wanted.keys()].filter((id) => !outcomes.has(id) && !putAside.includes(id));
    expect(unheard).toEqual([]);
    expect(outcomes.size + putAside.filter((id) => !outcomes.has(id)).length).toBe(wanted.size);
  });

  it("every outcome is the right one", () => {
    const expected: Record<string, string> = {
      missing: "404",
      forbidden: "refused robots",
      begging: "429",
      unwilling: "503",
      failing: "500",
      resetting: "failed reset",
    };
    const wrong = [...outcomes].filter(([id, outcome]) => {
      const linkStatus = new URL(wanted.get(id)?.url ?? "").pathname.split("/")[1] ?? "";
      return outcome !== (expected[linkStatus] ?? "200");
    });
    expect(wrong).toEqual([]);
  });

  it("what robots.txt forbids was never requested", () => {
    const paths = all().flatMap(([, exchanges]) => exchanges.map(({ path }) => path));
    expect(paths.filter((path) => path.startsWith("/forbidden"))).toEqual([]);
  });

  it("only requests that a kill cut off were repeated", () => {
    const times = new Map<string, number>();
    for (const [address, exchanges] of all()) {
      for (const { path } of exchanges) {
        times.set(address + path, (times.get(address + path) ?? 0) + 1);
      }
    }
    const planned = (path: string) => {
      if ((path.split("/")[1] ?? "") in troubled) return maxAttempts;
      return path.includes("/busy/") ? 2 : 1;
    };
    const repeats = [...times].reduce((sum, [path, n]) => sum + Math.max(0, n - planned(path)), 0);
    expect(repeats).toBeLessThanOrEqual(killCount);
  });
});
