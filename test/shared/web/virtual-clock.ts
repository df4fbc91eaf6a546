import type { Clock } from "../../../shared/core/clock.ts";
import { Heap } from "../../../shared/web/scheduler/heap.ts";

/** A clock that stands still while anything can continuewithout it, and then jumps to the next awaited moment. */
export class VirtualClock implements Clock {
  nowMs = 0;
  private readonly alarms = new Heap<{ atMs: number; ring: () => void }>((a, b) => a.atMs < b.atMs);

  now(): Date {
    return new Date(this.nowMs);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((ring) => this.alarms.push({ atMs: this.nowMs + ms, ring }));
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const settled = work.finally(() => {
      isDone = true;
    });
    settled.catch(() => {});
    for (;;) {
      await new Promise(setImmediate);
      const alarm = isDone ? undefined : this.alarms.shift();
      if (alarm === undefined) return settled;
      this.nowMs = alarm.atMs;
      alarm.ring();
      while (this.alarms.first()?.atMs === this.nowMs) this.alarms.shift()?.ring();
    }
  }
}
