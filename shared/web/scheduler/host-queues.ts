import { Heap } from "./heap.ts";
import { HostQueue } from "./host-queue.ts";

/** An item to serve. Its host gets no other turn until this turn is finished. */
export interface Turn<T> {
  queue: HostQueue<T>;
  item: T;
}

/**
 * The queues of all hosts. Among the hosts whose delay is over, the one with the most remaining work gets the next
 * turn. A host without a finished request counts as the slowest host so far, so that slow hosts are found early. Each
 * decision costs O(log hosts).
 */
export class HostQueues<T> {
  private readonly hostOf: (item: T) => string;
  private readonly queues = new Map<string, HostQueue<T>>();
  /** Hosts whose delay is not over, or whose delay may not be over. */
  private readonly waiting = new Heap<HostQueue<T>>((a, b) => a.readyAtMs < b.readyAtMs);
  private readonly readyKnown = new Heap<HostQueue<T>>(hasMoreWork);
  private readonly readyUnknown = new Heap<HostQueue<T>>(hasMoreWork);
  private slowestPaceMs = 0;

  constructor(hostOf: (item: T) => string) {
    this.hostOf = hostOf;
  }

  /** Appends an item to its host's queue. */
  add(item: T): void {
    const queue = this.queueOf(item);
    queue.add(item);
    this.schedule(queue);
  }

  /** Prepends an item to its host's queue. */
  addFirst(item: T): void {
    const queue = this.queueOf(item);
    queue.addFirst(item);
    this.schedule(queue);
  }

  /**
   * Returns the next turn.
   * @returns undefined while every host is busy, empty or within its delay
   */
  take(nowMs: number): Turn<T> | undefined {
    this.collectReady(nowMs);
    const queue = this.shiftLongest();
    return queue && { queue, item: queue.shift() };
  }

  /**
   * Ends a turn. The next request to the host may start `delayMs` after `nowMs`.
   * @param served.tookMs the duration of the item, without the delay
   */
  finish({ queue }: Turn<T>, served: { nowMs: number; tookMs: number; delayMs: number }): void {
    queue.recordServed(served);
    this.slowestPaceMs = Math.max(this.slowestPaceMs, queue.paceMs);
    queue.readyAtMs = Math.max(served.nowMs + served.delayMs, queue.firstDueAtMs);
    queue.isScheduled = false;
    if (queue.length > 0) this.schedule(queue);
  }

  /** Returns the time at which the next delay ends; undefined when no host waits for its delay. */
  nextReadyAtMs(): number | undefined {
    return this.waiting.first()?.readyAtMs;
  }

  /** Returns whether no item waits. */
  isEmpty(): boolean {
    return this.waiting.size + this.readyKnown.size + this.readyUnknown.size === 0;
  }

  private queueOf(item: T): HostQueue<T> {
    const hostKey = this.hostOf(item);
    let queue = this.queues.get(hostKey);
    if (queue === undefined) {
      queue = new HostQueue();
      this.queues.set(hostKey, queue);
    }
    return queue;
  }

  private schedule(queue: HostQueue<T>): void {
    if (queue.isScheduled) return;
    queue.isScheduled = true;
    this.waiting.push(queue);
  }

  private collectReady(nowMs: number): void {
    for (let queue = this.waiting.first(); queue !== undefined; queue = this.waiting.first()) {
      if (queue.readyAtMs > nowMs) return;
      this.waiting.shift();
      queue.rank();
      (queue.isKnown ? this.readyKnown : this.readyUnknown).push(queue);
    }
  }

  private shiftLongest(): HostQueue<T> | undefined {
    const known = this.readyKnown.first()?.workLeft ?? 0;
    const unknown = (this.readyUnknown.first()?.workLeft ?? 0) * this.slowestPaceMs;
    return known >= unknown
      ? (this.readyKnown.shift() ?? this.readyUnknown.shift())
      : (this.readyUnknown.shift() ?? this.readyKnown.shift());
  }
}

function hasMoreWork(a: HostQueue<unknown>, b: HostQueue<unknown>): boolean {
  return a.workLeft > b.workLeft;
}
