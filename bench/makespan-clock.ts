import type { Clock } from "../shared/core/clock.ts";
import { Heap } from "../shared/web/scheduler/heap.ts";

/**
 * Time that passes only when everybody waits. Code that takes a `Clock` runs in it unchanged and at once, as long as it
 * waits for nothing but this clock.
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

  /** Calls `wake` when the time has come; in the order of asking among equals. */
  at(ms: number, wake: () => void): void {
    const wakes = this.wakesAt.get(ms);
    if (wakes !== undefined) {
      wakes.push(wake);
      return;
    }
    this.wakesAt.set(ms, [wake]);
    this.times.push(ms);
  }

  /** Lets time pass until nobody waits any more. */
  async run(): Promise<void> {
    // What has been started before must come to its first wait.
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

/** A turn of the event loop comes only after the last promise that can go on has gone on. */
function everyoneWaits(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
