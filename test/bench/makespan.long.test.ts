import { describe, expect, it } from "vitest";
import { runInCloud } from "../../bench/makespan-cloud.ts";
import { chainsMs, createLoad, shapes, shortestMs } from "../../bench/makespan-loads.ts";
import { orders, sendingOrder } from "../../bench/makespan-orders.ts";
import { costPerMillion } from "../../bench/makespan-prices.ts";
import { FifoQueue, sqsLimits } from "../../bench/makespan-queue.ts";
import { runInProcess } from "../../bench/makespan-scheduler.ts";
import { gateMemoryMiB } from "../../shared/web/gate/other-hosts.ts";
import { queueNumber } from "../../shared/web/gate/queue-number.ts";

const usual = {
  shape: "uniform" as const,
  requests: 1000,
  hosts: 50,
  delayMs: 1000,
  backoffMs: 5000,
  hostSpread: 1,
  busyShare: 0.005,
};

const loads = shapes.flatMap((shape) => [1000, 10_000].map((delayMs) => ({ shape, delayMs })));

describe("the gate over FIFO queues, in virtual time", () => {
  it.each(loads)(
    "a worker for every host, $shape, delay $delayMs ms → 1.05 of the shortest time",
    async (load) => {
      const run = await runInCloud(createLoad({ ...usual, ...load }), {
        order: "spread",
        workers: 50,
        queues: 1,
      });
      expect(run.makespanMs).toBeGreaterThanOrEqual(run.shortestMs);
      expect(run.makespanMs).toBeLessThanOrEqual(1.05 * run.shortestMs);
    },
  );

  it("hosts divided among four queues → the same time", async () => {
    const run = await runInCloud(createLoad(usual), { order: "spread", workers: 200, queues: 4 });
    expect(run.makespanMs).toBeLessThanOrEqual(1.05 * run.shortestMs);
  });

  it("fewer workers than hosts → sending long hosts first saves time", async () => {
    const load = createLoad({ ...usual, shape: "Zipf" });
    const [unordered, longestFirst] = await Promise.all(
      (["host by host", "longest host first"] as const).map((order) =>
        runInCloud(load, { order, workers: 4, queues: 1, hostsPerInvocation: 1 }),
      ),
    );
    expect(longestFirst?.makespanMs).toBeLessThan(0.95 * (unordered?.makespanMs ?? 0));
  });

  it.each([
    { delayMs: 1000, times: 5 },
    { delayMs: 3000, times: 2.5 },
  ])(
    "delay of $delayMs ms, many hosts → invocations that serve ten take a $times-th of the time",
    async (row) => {
      const load = createLoad({ ...usual, requests: 4000, hosts: 400, delayMs: row.delayMs });
      const cloud = { order: "shuffled" as const, workers: 10, queues: 1 };
      const alone = await runInCloud(load, { ...cloud, hostsPerInvocation: 1 });
      const shared = await runInCloud(load, cloud);
      expect(shared.use.functionMs).toBeLessThan(alone.use.functionMs / row.times);
      expect(shared.makespanMs).toBeLessThan(0.6 * alone.makespanMs);
    },
  );

  it("delay of 2.5 s → hiding for more than is left costs a fifth, for less nothing", async () => {
    const load = createLoad({ ...usual, shape: "giant", delayMs: 2500 });
    const cloud = { order: "spread" as const, workers: 50, queues: 1 };
    const [up, down] = [
      await runInCloud(load, { ...cloud, rounding: "up" }),
      await runInCloud(load, { ...cloud, rounding: "down" }),
    ];
    expect(up.makespanMs).toBeGreaterThan(1.15 * up.shortestMs);
    expect(down.makespanMs).toBeLessThan(1.01 * down.shortestMs);
  });

  it("delay above two seconds → one receive, one change of visibility, one deletion per request", async () => {
    const { use, maxReceives } = await runInCloud(createLoad({ ...usual, delayMs: 10_000 }), {
      order: "spread",
      workers: 50,
      queues: 1,
      hostsPerInvocation: 1,
    });
    for (const calls of [use.receives, use.visibilityChanges, use.deletes]) {
      expect(calls / usual.requests).toBeCloseTo(1, 1);
    }
    expect(maxReceives).toBeLessThan(20);
  });
});

describe("the in-process scheduler, in virtual time", () => {
  const runs = shapes.flatMap((shape) => [
    // A single worker is busy with others when the longest host is ready again: see docs/scaling.md.
    { shape, concurrency: 1, ratio: 1.065 },
    ...[4, 16, 64, 1024].map((concurrency) => ({ shape, concurrency, ratio: 1.01 })),
  ]);
  it.each(runs)(
    "$shape load, $concurrency at once → $ratio of the shortest time",
    async ({ shape, concurrency, ratio }) => {
      const load = createLoad({ ...usual, shape, requests: 5000, hostSpread: 0.3, busyShare: 0 });
      const run = await runInProcess(load, concurrency);
      expect(run.makespanMs).toBeGreaterThanOrEqual(run.shortestMs);
      expect(run.makespanMs).toBeLessThanOrEqual(ratio * run.shortestMs);
    },
  );

  it("unlike hosts beside a giant, one at a time → 1.065 of the shortest time", async () => {
    const load = createLoad({ ...usual, shape: "giant", requests: 5000, hosts: 250, busyShare: 0 });
    const run = await runInProcess(load, 1);
    expect(run.makespanMs).toBeLessThanOrEqual(1.065 * run.shortestMs);
  });

  it.each([8, 12, 16, 24, 32, 64])(
    "unlike hosts of which nothing is known, %i at once → 1.01 of what anybody could do who asked them as early",
    async (concurrency) => {
      for (let draw = 0; draw < 3; draw++) {
        const load = createLoad({ ...usual, requests: 4000, hosts: 200, busyShare: 0, draw });
        const run = await runInProcess(load, concurrency);
        expect(run.makespanMs).toBeLessThanOrEqual(1.01 * run.shortestFromFirstAskedMs);
        // Half of the first round on average, all of it at worst.
        const firstRoundMs = load.serviceMs.reduce((sum, serviceMs) => sum + serviceMs, 0) / 20 / concurrency;
        expect(run.shortestFromFirstAskedMs - run.shortestMs).toBeLessThanOrEqual(1.5 * firstRoundMs);
      }
    },
  );
});

describe("FifoQueue", () => {
  const options = { pick: "oldest message" as const, random: () => 0.5 };
  const queueOf = (requests: number, hosts: number) => {
    const load = createLoad({ ...usual, requests, hosts });
    return new FifoQueue(load, sendingOrder(load, "host by host"), options);
  };

  it("more than ten messages of a host → ten, and none of that host until they are deleted or shown again", () => {
    const queue = queueOf(15, 1);
    expect(queue.receive()).toEqual([{ host: 0, from: 0, count: 10 }]);
    expect(queue.receive()).toEqual([]);
    queue.delete(0, 3);
    queue.makeVisible(0, 7);
    expect(queue.receive()).toEqual([{ host: 0, from: 3, count: 10 }]);
    expect(queue.maxReceives).toBe(2);
  });

  it("few messages per host → a batch of several hosts", () => {
    expect(
      queueOf(12, 3)
        .receive()
        .map(({ count }) => count),
    ).toEqual([4, 4, 2]);
  });

  it("as many in flight as SQS allows → nothing is received", () => {
    const queue = queueOf(121_000, 12_100);
    for (let taken = 0; taken < sqsLimits.inFlight; taken += sqsLimits.batch) queue.receive();
    expect(queue.maxInFlight).toBe(sqsLimits.inFlight);
    expect(queue.receive()).toEqual([]);
  });

  it("a host behind more messages than SQS looks through → not seen until enough are deleted", () => {
    const queue = queueOf(2 * (sqsLimits.scanned + 5), 2);
    const [first] = queue.receive();
    expect(queue.receive()).toEqual([]);
    queue.delete(first?.host ?? 0, 10);
    expect(queue.receive().map(({ host }) => host)).not.toEqual([first?.host]);
  });
});

describe("loads", () => {
  it("hosts one after the other, and all exchanges over the workers → the longer of both is the shortest time", () => {
    const load = createLoad({ ...usual, requests: 4, hosts: 2, busyShare: 0 });
    load.serviceMs.set([100, 200, 3000, 400]);
    expect([...chainsMs(load)]).toEqual([1300, 4400]);
    expect(shortestMs(load, 2)).toBe(4400);
    // The worker is held up by none of the other host's exchanges: both fit into a delay.
    expect(shortestMs(load, 1)).toBe(4400);
  });

  it.each(orders)("%s → every request once, those of a host as numbered", (order) => {
    const load = createLoad({ ...usual, shape: "Zipf" });
    const sent = sendingOrder(load, order);
    expect(sent.toSorted()).toEqual(Uint32Array.from({ length: load.requests }, (_, request) => request));
    for (let host = 0; host < load.hosts; host++) {
      const own = sent.filter((request) => load.hostOf[request] === host);
      expect(own).toEqual(own.toSorted());
    }
  });

  it("8,000 hosts among 8 queues → about as many for each", () => {
    const counts = new Array(8).fill(0);
    for (let host = 0; host < 8000; host++) counts[queueNumber(`host-${host}.example.org`, 8)]++;
    expect(Math.min(...counts)).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThan(1100);
  });
});

describe("costPerMillion", () => {
  it("ten requests per batch, one second each → its parts at list price", () => {
    const cost = costPerMillion({
      receives: 1,
      invocations: 1,
      deletes: 1,
      visibilityChanges: 0,
      functionMs: 10_000,
      hostReads: 1,
      hostWriteUnits: 11,
      bodies: 0,
      responses: 10,
    });
    expect(cost.queue).toBeCloseTo(0.15, 6);
    expect(cost.function).toBeCloseTo(0.02 + 13.3334 * (gateMemoryMiB / 1024), 6);
    expect(cost.hostStates).toBeCloseTo(0.854, 6);
    expect(cost.answers).toBeCloseTo(0.4, 6);
  });
});
