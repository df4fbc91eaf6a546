import type { Clock } from "../shared/core/clock.ts";
import { Heap } from "../shared/web/scheduler/heap.ts";

/**
 * A virtual clock that advances when all tasks wait for it. Code that takes a `Clock` runs unchanged and without delay, if
 * it waits only for this clock.
 */
export class VirtualClock implements Clock {
  nowMs = 0;
  private readonly times = new Heap<number>((a, b) => a < b);
  private readonly wakesAt = new Map<number, (() => void)[]>();

  now(): Date {
    return new Date(this.nowMs);
  }

  sleep(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => this.at(this.nowMs + Math.ceil(ms), resolve));
  }

  /** Calls `wake` at the time. Calls for the same time run in the order of registration. */
  at(ms: number, wake: () => void): void {
    const wakes = this.wakesAt.get(ms);
    if (wakes !== undefined) {
      wakes.push(wake);
      return;
    }
    this.wakesAt.set(ms, [wake]);
    this.times.push(ms);
  }

  /** Advances the time until no task waits. */
  async run(): Promise<void> {
    // Started tasks must reach their first wait.
    await everyoneWaits();
    for (let next = this.times.shift(); next !== undefined; next = this.times.shift()) {
      this.nowMs = next;
      const wakes = this.wakesAt.get(next) ?? [];
      this.wakesAt.delete(next);
      for (const wake of wakes) wake();
      await everyoneWaits();
    }
  }
}

/** An immediate runs after all promise callbacks. */
function everyoneWaits(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
