import { describe, expect, it } from "vitest";
import { ThrottledError } from "../../../../shared/core/errors.ts";
import { BodyMemory } from "../../../../shared/web/exchange/body-memory.ts";
import type { GatePorts } from "../../../../shared/web/gate/gate-ports.ts";
import { newHost } from "../../../../shared/web/gate/host-state.ts";
import { answer, GateWorld, noRobots, storedDelayMs } from "../gate-world.ts";

const host = "https://journal.example";

describe("waits", () => {
  it("short ones → inside, counted from the end of the request before; the order is kept", async () => {
    const world = new GateWorld({});
    expect(await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }, { url: `${host}/c` }])).toEqual([]);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", storedDelayMs(1000)],
      ["/b", storedDelayMs(1000)],
      ["/c", storedDelayMs(1000)],
    ]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r1", "r2", "r3"]);
  });

  it("no delay → none, also within a millisecond", async () => {
    const world = new GateWorld({});
    const requests = ["a", "b"].map((name) => ({ url: `${host}/${name}`, throttleMs: 0 }));
    expect(await world.serve(requests)).toEqual([]);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", 0],
      ["/b", 0],
    ]);
  });

  it("a long one → all remaining messages return to the queue for the wait", async () => {
    const world = new GateWorld({});
    const requests = [
      { url: `${host}/a`, throttleMs: 0 },
      { url: `${host}/b`, throttleMs: 5000 },
      { url: `${host}/c` },
      { url: `${host}/d` },
    ];
    expect(await world.serve(requests)).toEqual(["m2", "m3", "m4"]);
    expect(world.returned).toEqual([{ messageIds: ["m2", "m3", "m4"], waitMs: storedDelayMs(5000) }]);
  });

  it("a paused host → its requests return to the queue, unless they are too late; nothing is sent", async () => {
    const world = new GateWorld({});
    const pause = { since: "2026-11-20T09:00:00.000Z", by: "anna", reason: "asked to" };
    world.hosts.set("journal.example", { ...newHost("journal.example"), pause });
    const late = "2000-01-01T00:00:00.000Z";
    const requests = [{ url: `${host}/a`, notAfter: late }, { url: `${host}/b` }, { url: `${host}/c` }];
    expect(await world.serve(requests)).toEqual(["m2", "m3"]);
    expect(world.returned).toEqual([{ messageIds: ["m2", "m3"], waitMs: 600_000 }]);
    expect(world.responses).toMatchObject([{ outcome: { type: "refused", reason: "too-late" } }]);
    expect(world.sent).toEqual([]);
  });

  it.each([
    [100, 1500, storedDelayMs(1500)],
    [1500, 100, storedDelayMs(1500)],
  ])("throttles of %i and then %i ms → %i ms between the two", async (first, second, gapMs) => {
    const world = new GateWorld({});
    const requests = [
      { url: `${host}/a`, throttleMs: first, obeyRobots: false },
      { url: `${host}/b`, throttleMs: second, obeyRobots: false },
    ];
    expect(await world.serve(requests)).toEqual([]);
    expect(world.timeline.at(-1)).toEqual(["/b", gapMs]);
  });

  it("a request of another host in the group → served under the lease of its own host", async () => {
    const world = new GateWorld({});
    const other = "https://other.example";
    const requests = [{ url: `${host}/a` }, { url: `${other}/b` }, { url: `${host}/c` }];
    expect(await world.serve(requests)).toEqual([]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r1", "r3", "r2"]);
    expect(world.hosts.get("other.example")?.settled).toEqual(["r2-0"]);
    expect(world.hosts.get("journal.example")?.settled).toEqual(["r3-0", "r1-0"]);
  });

  it("a short one at the end of the invocation → returned to the queue", async () => {
    const world = new GateWorld({});
    world.remainingMs = world.policy.exchangeMaxMs;
    expect(await world.serve([{ url: `${host}/a` }])).toEqual(["m1"]);
    expect(world.returned).toEqual([{ messageIds: ["m1"], waitMs: 0 }]);
    expect(world.sent).toEqual([]);
  });

  it.each([
    ["the throttle is longer", 3000, 3000, 1000],
    ["the Crawl-delay is longer", 2000, 100, 2000],
    ["the Crawl-delay is below the minimum", 500, 100, 100],
    ["the Crawl-delay is above the maximum", 20_000, 100, 90_000],
  ])("%s → the delay is %i ms", async (_, expected, throttleMs, crawlDelayMs) => {
    const robots = answer(200, {}, `User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}`);
    const policy = { crawlDelayMinMs: 500, crawlDelayMaxMs: 20_000 };
    const world = new GateWorld({ [`${host}/robots.txt`]: robots }, policy);
    const requests = [
      { url: `${host}/a`, throttleMs, obeyRobots: false },
      { url: `${host}/b`, throttleMs },
    ];
    await world.serveToTheEnd(requests);
    expect(world.timeline).toEqual([
      ["/robots.txt", 0],
      ["/a", storedDelayMs(expected)],
      ["/b", storedDelayMs(expected)],
    ]);
  });
});

describe("a large response for which no memory is free", () => {
  const throttled: GatePorts["exchange"] = async ({ url }) => {
    if (url.endsWith("/robots.txt")) return noRobots;
    throw new ThrottledError("no memory", new Date());
  };

  it("→ returned to the queue for longer and longer; no attempt is counted", async () => {
    const world = new GateWorld({}, {}, { bodyMemory: new BodyMemory(1), exchange: throttled });
    const request = { url: `${host}/a`, obeyRobots: false };
    for (let time = 0; time < 3; time++) {
      expect(await world.serve([request])).toEqual(["m1"]);
      world.nowMs += world.returned.at(-1)?.waitMs ?? 0;
    }
    expect(world.returned.map(({ waitMs }) => waitMs)).toEqual([2000, 4000, 8000]);
    expect(world.hosts.get("journal.example")).toMatchObject({ slotWaits: 3 });
    expect(world.hosts.get("journal.example")).not.toHaveProperty("pendingExchange");
    expect(world.hosts.get("journal.example")).not.toHaveProperty("lease");
    expect(world.responses).toEqual([]);
  });

  it("→ its memory is free again when the response has been stored, not before", async () => {
    const bodyMemory = new BodyMemory(1);
    const free: boolean[] = [];
    const isFree = () => {
      const probe = bodyMemory.open();
      const taken = probe.take() === undefined;
      probe.release();
      return taken;
    };
    const world = new GateWorld(
      {},
      {},
      {
        bodyMemory,
        exchange: async ({ place }) => {
          place?.take();
          return answer(200);
        },
        respond: async () => void free.push(isFree()),
      },
    );
    await world.serve([{ url: `${host}/a`, obeyRobots: false }]);
    expect([...free, isFree()]).toEqual([false, true]);
  });
});

describe("a withdrawn request", () => {
  it("→ refused without any request to its host, not even for robots.txt; the others are served", async () => {
    const world = new GateWorld(
      {},
      {},
      { whyWithdrawn: async ({ url }) => (url.endsWith("/1") ? "it is held" : undefined) },
    );
    expect(await world.serve([{ url: "https://a.example/1" }])).toEqual([]);
    expect(world.sent).toEqual([]);
    await world.serve([{ url: "https://a.example/2" }]);
    expect(world.outcomes).toEqual(["refused withdrawn", 200]);
  });

  it("at a paused host → refused at once; what is still needed waits", async () => {
    const world = new GateWorld(
      {},
      {},
      {
        whyWithdrawn: async ({ url }, pause) =>
          url.endsWith("/1") && pause ? `paused by ${pause.by}` : undefined,
      },
    );
    const pause = { since: "2026-11-20T09:00:00.000Z", by: "anna", reason: "asked to" };
    world.hosts.set("a.example", { ...newHost("a.example"), pause });
    const left = await world.serve([{ url: "https://a.example/1" }, { url: "https://a.example/2" }]);
    expect(left).toHaveLength(1);
    expect(world.outcomes).toEqual(["refused withdrawn"]);
  });
});

describe("delays that are set for all sources", () => {
  const robots = answer(200, {}, "User-agent: *\nCrawl-delay: 4\nDisallow: /admin");
  const delays = {
    defaultDelayMs: 1500,
    maxDelayMs: 3000,
    hostDelays: { "journal.example": { defaultMs: 700 }, "capped.example": { maxMs: 900 } },
  };
  it.each([
    ["a host of its own → its delay, not robots.txt's", "journal.example", {}, 700],
    ["a host of its own, a source in haste → its delay", "journal.example", { throttleMs: 0 }, 700],
    ["a host of its own, a patient source → the source's", "journal.example", { throttleMs: 1200 }, 1200],
    ["a host that has a maximum alone → the default up to it", "capped.example", {}, 900],
    ["another host → the Crawl-delay up to the maximum", "other.example", {}, 3000],
    ["another host, a source in haste → the same", "other.example", { throttleMs: 0 }, 3000],
  ])("%s", async (_, name, requestPolicy, expected) => {
    const world = new GateWorld(
      { [`https://${name}/robots.txt`]: robots },
      {},
      { delays: async () => delays },
    );
    const urls = ["a", "b", "admin"].map((path) => ({ url: `https://${name}/${path}`, ...requestPolicy }));
    await world.serveToTheEnd(urls);
    expect(world.timeline.map(([path]) => path)).toEqual(["/robots.txt", "/a", "/b"]);
    expect(world.timeline.at(-1)?.[1]).toBe(storedDelayMs(expected));
    expect(world.outcomes).toEqual([200, 200, "refused robots"]);
  });

  it.each([
    ["no Crawl-delay → the default", "", 1500],
    ["a Crawl-delay below the default → the default", "Crawl-delay: 0.2", 1500],
    ["a Crawl-delay between both → as it is", "Crawl-delay: 2", 2000],
  ])("%s", async (_, line, expected) => {
    const text = answer(200, {}, `User-agent: *\n${line}`);
    const world = new GateWorld(
      { [`${host}/robots.txt`]: text },
      {},
      { delays: async () => ({ ...delays, hostDelays: {} }) },
    );
    await world.serveToTheEnd([{ url: `${host}/a` }, { url: `${host}/b` }]);
    expect(world.timeline.at(-1)?.[1]).toBe(storedDelayMs(expected));
  });

  it("none are set → those of the policy", async () => {
    const world = new GateWorld({}, { defaultDelayMs: 300 }, { delays: async () => undefined });
    await world.serve([{ url: `${host}/a` }, { url: `${host}/b` }]);
    expect(world.timeline.at(-1)).toEqual(["/b", storedDelayMs(300)]);
  });
});
