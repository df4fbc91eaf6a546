import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import {
  type CallFault,
  callFaults,
  callUnder,
  createFaults,
  deliveryFaults,
  describeFaults,
} from "../../../local/cloud/faults.ts";

const call = { functionName: "ingather-read-feed", isRepeat: false };
const delivery = { functionName: "a-function", otherInvocations: 0 };
const draw = (seed: number) => {
  const faults = createFaults({ probability: 0.5, seed });
  const calls = Array.from({ length: 400 }, () => faults.ofCall(call));
  return { faults, drawn: [...calls, ...Array.from({ length: 400 }, () => faults.ofDelivery(delivery))] };
};

describe("random faults", () => {
  it("the same seed → the same faults; another → others", () => {
    expect(draw(1).drawn).toEqual(draw(1).drawn);
    expect(draw(1).drawn).not.toEqual(draw(2).drawn);
  });

  it("as many as the probability says, three quarters as many of deliveries, of all kinds, each counted", () => {
    const { faults, drawn } = draw(3);
    const [calls, deliveries] = [drawn.slice(0, 400), drawn.slice(400)].map((some) =>
      some.filter((kind) => kind !== undefined),
    );
    expect(new Set(calls)).toEqual(new Set(callFaults));
    expect(new Set(deliveries)).toEqual(new Set(deliveryFaults));
    expect(calls?.length).toBeGreaterThan(150);
    expect(calls?.length).toBeLessThan(250);
    expect(deliveries?.length).toBeGreaterThan(110);
    expect(deliveries?.length).toBeLessThan(190);
    for (const [kind, count] of Object.entries(faults.counts()))
      expect(drawn.filter((one) => one === kind)).toHaveLength(count);
  });

  it("calls of the operator → none", () => {
    const faults = createFaults({ probability: 0.99, seed: 1 });
    const operator = { functionName: undefined, isRepeat: false };
    expect(Array.from({ length: 100 }, () => faults.ofCall(operator)).filter(Boolean)).toEqual([]);
  });

  it("a spared function → never killed", () => {
    const faults = createFaults({ probability: 1, seed: 1, spared: ["a-function"] });
    const kinds = Array.from({ length: 400 }, () => faults.ofDelivery(delivery));
    expect(kinds).not.toContain("kill");
    expect(kinds).toContain("duplicate");
  });

  it("nineteen invocations beside it → each still dies as often as alone, not twenty times as often", () => {
    const deathsOf = (otherInvocations: number) => {
      const faults = createFaults({ probability: 0.18, seed: 1 });
      for (let count = 0; count < 20_000; count++) faults.ofDelivery({ ...delivery, otherInvocations });
      return faults.counts().kill * (1 + otherInvocations);
    };
    expect(deathsOf(0)).toBeGreaterThan(350);
    expect(deathsOf(19) / deathsOf(0)).toBeGreaterThan(0.5);
    expect(deathsOf(19) / deathsOf(0)).toBeLessThan(2);
  });

  it("clock jumps → told, and the clock stays within 1.5 s", () => {
    const { faults } = draw(5);
    const [offset = 0] = new Int32Array(faults.clockOffset);
    expect(faults.jumps()).toHaveLength(faults.counts()["clock jump"]);
    expect(faults.jumps().reduce((sum, { byMs }) => sum + byMs, 0)).toBe(offset);
    expect(Math.abs(offset)).toBeLessThanOrEqual(1500);
    expect(new Set(faults.jumps().map(({ byMs }) => Math.sign(byMs)))).toEqual(new Set([1, -1]));
  });

  it("time passes → for the functions and for this process, and stays with later jumps", () => {
    const faults = createFaults({ probability: 1, seed: 1, maxClockOffsetMs: 50 });
    const [world = 0, functions = 0] = [faults.worldOffset, faults.clockOffset].map((shared) => {
      faults.passTime(1000);
      return new Int32Array(shared)[0];
    });
    expect([world, functions]).toEqual([1000, 2000]);
    for (let count = 0; count < 100; count++) faults.ofDelivery(delivery);
    const [offset = 0] = new Int32Array(faults.clockOffset);
    expect(faults.jumps().length).toBeGreaterThan(2);
    expect(Math.abs(offset - 2000)).toBeLessThanOrEqual(50);
  });

  it("described → the sum, and each kind", () => {
    expect(
      describeFaults({ ...createFaults({ probability: 0.1, seed: 1 }).counts(), drop: 2, kill: 1 }),
    ).toBe("3 (2 drop, 0 fail, 0 delay, 0 duplicate, 0 lose answer, 1 kill, 0 clock jump)");
  });
});

describe("a call under a fault", () => {
  it.each<[CallFault | undefined, number, number | undefined]>([
    [undefined, 1, 200],
    ["drop", 0, undefined],
    ["fail", 0, 500],
    ["delay", 1, 200],
    ["duplicate", 2, 200],
    ["lose answer", 1, undefined],
  ])("%s → made %i times, answered with %s", async (fault, times, status) => {
    let made = 0;
    const answer = await callUnder(fault, {
      service: "sqs",
      pauseMs: () => 0,
      call: async () => {
        made += 1;
        return { status: 200, headers: {}, body: Buffer.from("") };
      },
    });
    expect(made).toBe(times);
    expect(answer?.status).toBe(status);
  });
});

it("a thread whose clock is shifted → its dates are, and are dates", async () => {
  const clockOffset = new SharedArrayBuffer(4);
  new Int32Array(clockOffset)[0] = -3_600_000;
  const module = new URL("../../../local/cloud/lambda/shift-clock.ts", import.meta.url).href;
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     import(${JSON.stringify(module)}).then(({ shiftClock }) => {
       const before = new Date(5);
       shiftClock(workerData);
       parentPort.postMessage([Date.now(), new Date().getTime(), new Date(7).getTime(), before instanceof Date,
         new Date() instanceof Date, Date.UTC(1970, 0), typeof Date()]);
     });`,
    { eval: true, workerData: clockOffset },
  );
  const [[now, created, ...others]] = (await once(worker, "message")) as [[number, number, ...unknown[]]];
  for (const ms of [now, created]) expect(Math.abs(ms + 3_600_000 - Date.now())).toBeLessThan(60_000);
  expect(others).toEqual([7, true, true, 0, "string"]);
  await worker.terminate();
});
