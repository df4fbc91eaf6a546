import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../../local/cloud/seeded-random.ts";
import { PlatformError } from "../../../../shared/core/errors.ts";
import type { GatePorts } from "../../../../shared/web/gate/gate-ports.ts";
import { newHost } from "../../../../shared/web/gate/host-state.ts";
import { GateWorld, messageOf, startMs } from "../gate-world.ts";

const host = "https://journal.example";

describe("leases", () => {
  const url = `${host}/a`;
  const leased = (untilMs: number, exchangeId = "r1-0") => ({
    ...newHost("journal.example"),
    lease: { holder: "that", untilMs: startMs + untilMs, delayMs: 0, exchangeId },
    version: 0,
  });

  it("held by another worker → returned to the queue until it ends", async () => {
    const world = new GateWorld({});
    world.hosts.set("journal.example", leased(70_000));
    expect(await world.serve([{ url }])).toEqual(["m1"]);
    expect(world.returned).toEqual([{ messageIds: ["m1"], waitMs: 70_000 }]);
    expect(world.hosts.get("journal.example")).toEqual(leased(70_000));
  });

  it("lost before an exchange → no other request, and the winner's state stays", async () => {
    const world = new GateWorld({}, {}, {});
    const { respond } = world.ports;
    world.ports.respond = async (response) => {
      await respond(response);
      world.hosts.set("journal.example", { ...leased(70_000), version: 99 });
    };
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual(["m2"]);
    expect(world.timeline.map(([path]) => path)).toEqual(["/robots.txt", "/a"]);
    expect(world.hosts.get("journal.example")?.version).toBe(99);
  });

  it("lost during an exchange → its response is not reported, and the winner's state stays", async () => {
    const world = new GateWorld({}, { defaultDelayMs: 0 });
    const { exchange } = world.ports;
    world.ports.exchange = async (request) => {
      if (request.url === url) world.hosts.set("journal.example", { ...leased(70_000), version: 99 });
      return exchange(request);
    };
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual(["m2"]);
    expect(world.outcomes).toEqual([200]);
    expect(world.hosts.get("journal.example")?.version).toBe(99);
  });

  it("of a process that died → a crash is counted; after too many the request goes to the dead-letter queue, and the next one is served", async () => {
    const world = new GateWorld({}, { maxCrashes: 3 });
    const pendingExchange = { exchangeId: "r1-0", attempts: 0, crashes: 2 };
    world.hosts.set("journal.example", { ...leased(-1), pendingExchange });
    expect(await world.serve([{ url }, { url: `${host}/b` }])).toEqual([]);
    expect(world.deadLettered).toEqual([{ messageId: "m1", reason: expect.stringContaining("3 times") }]);
    // Its reader ends it with the reason: nothing waits for it.
    expect(world.responses.map(({ request, outcome }) => [request.id, outcome.type])).toEqual([
      ["r1", "refused"],
      ["r2", "answered"],
    ]);
  });

  it("of a process that died too often over a capture → its reader is told once it is in the dead-letter queue; a redrive captures", async () => {
    const world = new GateWorld({}, { maxCrashes: 3 });
    const pendingExchange = { exchangeId: "r1-0", attempts: 0, crashes: 3 };
    world.hosts.set("journal.example", { ...leased(-1), pendingExchange });
    const { respond } = world.ports;
    world.ports.respond = () => Promise.reject(new Error("no queue"));
    const bodyPolicy = { type: "capture" as const, maxBytes: 1000 };
    const requests = [{ kind: "capture" as const, url, bodyPolicy }];
    await expect(world.serve(requests)).rejects.toThrow("no queue");
    world.ports.respond = respond;
    // Marked before: a lost response is lost, and nothing is there twice.
    expect(await world.serve(requests)).toEqual([]);
    expect(world.deadLettered).toHaveLength(1);
    expect(world.responses).toEqual([]);

    world.hosts.set("journal.example", { ...leased(-1), pendingExchange });
    expect(await world.serve(requests)).toEqual([]);
    expect(world.responses.map(({ outcome }) => outcome)).toEqual([
      { type: "refused", reason: "dead-lettered", detail: expect.stringContaining("3 times") },
    ]);
    const redriven = messageOf("redriven", { id: "r1", ...requests[0], kind: "capture", url });
    expect(await world.serveMessages([redriven])).toEqual([]);
    expect(world.outcomes.at(-1)).toBe(200);
  });

  it("this process was suspended → no request", async () => {
    const world = new GateWorld({});
    const { save } = world.ports.hosts;
    world.ports.hosts.save = async (state) => {
      world.nowMs += 100_000;
      return save(state);
    };
    expect(await world.serve([{ url }])).toEqual(["m1"]);
    expect(world.sent).toEqual([]);
  });

  it.each([
    { byMs: 2000, outcome: "the request waits for it", returns: 0 },
    { byMs: 3_600_000, outcome: "the message is returned, instead of a wait for an hour", returns: 1 },
  ])("the clock jumps back by $byMs ms during a wait → $outcome", async ({ byMs, returns }) => {
    const world = new GateWorld({});
    world.hosts.set("journal.example", { ...newHost("journal.example"), readyAtMs: startMs + 1500 });
    const { sleep } = world.ports.clock;
    const sleptMs: number[] = [];
    world.ports.clock.sleep = async (ms) => {
      sleptMs.push(ms);
      if (sleptMs.length === 1) world.nowMs -= byMs;
      return sleep(ms);
    };
    await world.serve([{ url }]);
    expect(world.returned).toHaveLength(returns);
    expect(Math.max(...sleptMs)).toBeLessThan(10_000);
    expect(world.sent.length > 0).toBe(returns === 0);
  });

  it("an error of Ingather → thrown, the rest returned; after too many the request goes to the dead-letter queue", async () => {
    const world = new GateWorld({}, { maxCrashes: 3 });
    const { respond } = world.ports;
    world.ports.respond = async (response) => {
      if (response.request.id === "r1") throw new Error("no queue");
      await respond(response);
    };
    const requests = [{ url }, { url: `${host}/b` }];
    for (let time = 1; time <= 3; time++) await expect(world.serve(requests)).rejects.toThrow("no queue");
    expect(world.returned).toEqual(
      [1000, 2000, 4000].map((waitMs) => ({ messageIds: ["m1", "m2"], waitMs })),
    );
    // Its response cannot be sent either; it is marked before, and holds nothing up.
    await expect(world.serve(requests)).rejects.toThrow("no queue");
    expect(await world.serve(requests)).toEqual([]);
    expect(world.deadLettered).toEqual([{ messageId: "m1", reason: expect.any(String) }]);
    expect(world.outcomes).toEqual([200]);
    expect(await world.serve(requests)).toEqual([]);
    expect(world.deadLettered).toHaveLength(1);

    world.ports.respond = respond;
    const redriven = messageOf("redriven", { id: "r1", kind: "article", url });
    expect(await world.serveMessages([redriven])).toEqual([]);
    expect(world.responses.map(({ request }) => request.id)).toEqual(["r2", "r1"]);
  });

  it("at random: waits, failures of AWS and own errors → dead-lettered after 5 own errors or 10 failures of AWS; waits never count", async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seededRandom(seed);
      const world = new GateWorld({});
      const outageShare = random();
      const counts = { outages: 0, crashes: 0 };
      let isDown = false;
      world.ports.networkIsDown = async () => isDown;
      world.ports.respond = async ({ outcome }) => {
        if (outcome.type === "refused") return;
        const isOutage = random() < outageShare;
        counts[isOutage ? "outages" : "crashes"] += 1;
        throw isOutage ? new PlatformError("SQS does not answer") : new Error("broken");
      };
      while (counts.crashes < 5 && counts.outages < 10) {
        isDown = random() < 0.5;
        const served = world.serve([{ url }]);
        if (isDown) expect(await served).toEqual(["m1"]);
        else await expect(served).rejects.toThrow();
        expect(world.deadLettered, `seed ${seed}`).toEqual([]);
      }
      isDown = false;
      expect(await world.serve([{ url }])).toEqual([]);
      const times = counts.crashes >= 5 ? "failed 5 times" : "failed 10 times, because AWS failed";
      expect(world.deadLettered, `seed ${seed}`).toEqual([
        { messageId: "m1", reason: expect.stringContaining(times) },
      ]);
    }
  });

  /** Fails the first time only. */
  const passing = () => {
    let isOver = false;
    return (): undefined => {
      if (isOver) return;
      isOver = true;
      throw new Error("once");
    };
  };

  it.each<[string, (ports: GatePorts, fail: () => undefined) => Partial<GatePorts>]>([
    ["our network's state cannot be read", (_, fail) => ({ networkIsDown: async () => fail() ?? false })],
    ["the delays cannot be read", (_, fail) => ({ delays: async () => fail() })],
    [
      "a message cannot be moved to the dead-letter queue",
      ({ deadLetter }, fail) => ({
        deadLetter: async (message, reason) => {
          fail();
          await deadLetter(message, reason);
        },
      }),
    ],
    [
      "the host's state cannot be read",
      ({ hosts }, fail) => ({
        hosts: {
          ...hosts,
          load: async (key) => {
            fail();
            return hosts.load(key);
          },
        },
      }),
    ],
  ])("%s, once → thrown, all messages returned for a moment, then done", async (_, change) => {
    const world = new GateWorld({});
    Object.assign(world.ports, change(world.ports, passing()));
    const messages = [messageOf("bad", {}), messageOf("good", { id: "r1", kind: "article", url })];
    await expect(world.serveMessages(messages)).rejects.toThrow("once");
    expect(world.returned).toEqual([{ messageIds: ["bad", "good"], waitMs: 1000 }]);
    expect(await world.serveMessages(messages)).toEqual([]);
    expect(world.outcomes).toEqual([200]);
  });

  it("the lease cannot be released → thrown, all messages returned for a moment, then done", async () => {
    const world = new GateWorld({});
    const { save } = world.ports.hosts;
    const fail = passing();
    world.ports.hosts.save = async (state) => {
      if (state.settled.length > 0) fail();
      return save(state);
    };
    await expect(world.serve([{ url }])).rejects.toThrow("once");
    expect(world.returned).toEqual([{ messageIds: ["m1"], waitMs: 1000 }]);
    expect(await world.serve([{ url }])).toEqual([]);
    expect(world.outcomes).toEqual([200]);
  });

  it("statistics cannot be stored → done, and the lease is released", async () => {
    const world = new GateWorld({});
    world.ports.statistics = { add: () => Promise.reject(new Error("no table")) };
    expect(await world.serve([{ url }])).toEqual([]);
    expect(world.outcomes).toEqual([200]);
    expect(world.hosts.get("journal.example")?.lease).toBeUndefined();
  });
});
