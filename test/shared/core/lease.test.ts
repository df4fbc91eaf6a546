import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LeasePorts, withLease, withRenewedLease } from "../../../shared/core/lease.ts";
import { memoryLeases } from "../memory/leases.ts";

let nowMs: number;
let ports: LeasePorts;
beforeEach(() => {
  nowMs = 0;
  ports = { leases: memoryLeases(), clock: { now: () => new Date(nowMs) } };
});

const lease = { key: "k", forMs: 1000 };
const rival = (untilMs: number) => ({ key: "k", holder: "rival", untilMs });
/** Whether anybody could claim the lease now. */
const isFree = async () => (await ports.leases.leasedKeys(["k"], nowMs)).size === 0;

describe("work under a lease", () => {
  it("alone → done, its result, and the lease is released", async () => {
    expect(await withLease(lease, ports, isFree)).toEqual({ type: "done", result: false });
    expect(await isFree()).toBe(true);
  });

  it("while another holds it → not done, and the other's lease", async () => {
    await ports.leases.claim(rival(500), nowMs);
    const work = withLease(lease, ports, () => Promise.reject(new Error("worked all the same")));
    expect(await work).toEqual({ type: "taken", lease: rival(500) });
    expect(await isFree()).toBe(false);
  });

  it("that fails → its error, and the lease is released", async () => {
    await expect(withLease(lease, ports, () => Promise.reject(new Error("broken")))).rejects.toThrow(
      "broken",
    );
    expect(await isFree()).toBe(true);
  });

  it("extended in time → by the same time; too late and claimed by another → false, and the other keeps it", async () => {
    const extended: boolean[] = [];
    await withLease(lease, ports, async (extend) => {
      nowMs = 900;
      extended.push(await extend());
      nowMs = 1899;
      expect(await ports.leases.claim(rival(9000), nowMs)).not.toEqual(rival(9000));
      nowMs = 1900;
      expect(await ports.leases.claim(rival(9000), nowMs)).toEqual(rival(9000));
      extended.push(await extend());
    });
    expect(extended).toEqual([true, false]);
    expect(await isFree()).toBe(false);
  });
});

describe("work under a lease that is renewed", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());
  const now = () => new Date(Date.now());

  it("longer than the lease → held to the end, then released", async () => {
    const renewed = { ...ports, clock: { now } };
    const work = withRenewedLease(lease, renewed, async (assertHeld) => {
      await vi.advanceTimersByTimeAsync(5000);
      assertHeld();
      return (await ports.leases.claim(rival(9000), Date.now())).holder === "rival";
    });
    expect(await work).toEqual({ type: "done", result: false });
    nowMs = Date.now();
    expect(await isFree()).toBe(true);
  });

  it("whose worker dies → free when it has run out", async () => {
    const dies = withRenewedLease(lease, { ...ports, clock: { now } }, () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(2000);
    // Its timers end with the process.
    vi.clearAllTimers();
    expect((await ports.leases.claim(rival(9000), 2999)).holder).not.toBe("rival");
    expect((await ports.leases.claim(rival(9000), 3000)).holder).toBe("rival");
    expect(await Promise.race([dies, "dead"])).toBe("dead");
  });

  it("that cannot be renewed → the next step is refused, and no renewal follows the release", async () => {
    const claim = vi.fn(ports.leases.claim);
    const failing = { leases: { ...ports.leases, claim }, clock: { now } };
    const work = withRenewedLease(lease, failing, async (assertHeld) => {
      claim.mockRejectedValue(new Error("no answer"));
      await vi.advanceTimersByTimeAsync(999);
      assertHeld();
      await vi.advanceTimersByTimeAsync(1);
      assertHeld();
    });
    await expect(work).rejects.toThrow("the lease k has expired");
    const calls = claim.mock.calls.length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(claim.mock.calls).toHaveLength(calls);
  });
});
