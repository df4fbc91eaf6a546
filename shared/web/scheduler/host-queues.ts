import { Heap } from "./heap.ts";
import { HostQueue } from "./host-queue.ts";
import { ReadyHosts } from "./ready-hosts.ts";
import { WorkLeft } from "./work-left.ts";

/** An item to serve. Nobody else is given its host's queue until the turn is finished. */
export interface Turn<T> {
  queue: HostQueue<T>;
  item: T;
}

export interface HostQueuesOptions<T> {
  hostOf(item: T): string;
  /** Items served at once, over all hosts; of one host never more than one. */
  concurrency: number;
}

/**
 * The queues of all hosts, and the decision whose turn it is: among the hosts that may be asked now the one with the most
 * work left, going by what it has taken so far. A host never asked counts as the slowest seen and so comes early: a slow
 * one found late cannot be made up for. Each decision costs O(log hosts).
 *
 * A host whose own work will last longer than everything else together is critical: the run cannot end before it. It
 * comes before all others; while it waits, the last slot takes only what fits in before it may be asked again.
 */
export class HostQueues<T> {
  private readonly options: HostQueuesOptions<T>;
  private readonly queues = new Map<string, HostQueue<T>>();
  private readonly ready = new ReadyHosts<T>();
  /** Must not be asked yet. */
  private readonly waiting = new Heap<HostQueue<T>>(isReadyBefore);
  private readonly criticalWaiting = new Heap<HostQueue<T>>(isReadyBefore);
  private readonly left = new WorkLeft();
  private underWay = 0;
  private lastServed: HostQueue<T> | undefined;

  constructor(options: HostQueuesOptions<T>) {
    this.options = options;
  }

  /** Puts an item at the end of its host's queue. */
  add(item: T): void {
    const queue = this.queueOf(item);
    this.left.recount(queue, () => queue.add(item));
    this.place(queue);
  }

  /** Puts an item at the front of its host's queue: what has begun is brought to its end first. */
  addFirst(item: T): void {
    const queue = this.queueOf(item);
    this.left.recount(queue, () => queue.addFirst(item));
    this.place(queue);
  }

  /** The next turn; undefined while no host may be asked, or no slot is free for those that may. */
  take(nowMs: number): Turn<T> | undefined {
    this.promote(this.waiting, nowMs);
    this.promote(this.criticalWaiting, nowMs);
    const queue = this.next(nowMs);
    if (queue === undefined) return undefined;
    this.ready.remove(queue);
    this.underWay++;
    return { queue, item: this.left.recount(queue, () => queue.shift()) };
  }

  /**
   * Ends a turn: the host may be asked again `delayMs` after now.
   * @param served.tookMs what the item has taken, without the delay
   */
  finish({ queue }: Turn<T>, served: { nowMs: number; tookMs: number; delayMs: number }): void {
    this.left.recount(queue, () => queue.recordServed(served));
    queue.readyAtMs = served.nowMs + served.delayMs;
    queue.isPlaced = false;
    this.lastServed = queue;
    this.underWay--;
    if (queue.length > 0) this.place(queue);
  }

  /** When the first of the hosts that must wait may be asked; undefined when none waits. */
  nextReadyAtMs(): number | undefined {
    const [a, b] = [this.waiting.first()?.readyAtMs, this.criticalWaiting.first()?.readyAtMs];
    return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  }

  /** Whether no item waits. */
  isEmpty(): boolean {
    return [this.ready, this.waiting, this.criticalWaiting].every(({ size }) => size === 0);
  }

  private queueOf(item: T): HostQueue<T> {
    const hostKey = this.options.hostOf(item);
    let queue = this.queues.get(hostKey);
    if (queue === undefined) {
      queue = new HostQueue();
      this.queues.set(hostKey, queue);
    }
    return queue;
  }

  private place(queue: HostQueue<T>): void {
    if (queue.isPlaced) return;
    queue.isPlaced = true;
    queue.rank();
    (this.isCritical(queue) ? this.criticalWaiting : this.waiting).push(queue);
  }

  /** Moves the hosts whose delay is over among those that may be asked. */
  private promote(waiting: Heap<HostQueue<T>>, nowMs: number): void {
    for (let queue = waiting.first(); queue !== undefined; queue = waiting.first()) {
      if (queue.readyAtMs > nowMs) return;
      waiting.shift();
      this.ready.push(queue);
    }
  }

  private next(nowMs: number): HostQueue<T> | undefined {
    const longest = this.longest();
    const critical = this.criticalWaiting.first();
    if (longest === undefined || critical === undefined || !this.isSlotKeptFor(critical)) return longest;
    // Where most are critical, they would keep each other waiting beside a free slot.
    if (this.isCritical(longest)) return longest;
    const roomMs = critical.readyAtMs - nowMs;
    const takesMs = this.left.servingMs(longest);
    if (takesMs <= roomMs || this.holdsUpLeastNow(critical, takesMs)) return longest;
    return this.ready.longestKnown(roomMs);
  }

  private longest(): HostQueue<T> | undefined {
    const known = this.ready.longestKnown();
    const unknown = this.ready.largestUnknown;
    if (known === undefined || unknown === undefined) return known ?? unknown;
    const isLonger = this.left.ofHostMs(known) >= this.left.ofHostMs(unknown);
    return isLonger || this.isCritical(known) ? known : unknown;
  }

  /** Whether this is the last slot that is free. */
  private isSlotKeptFor(critical: HostQueue<T>): boolean {
    return this.underWay === this.options.concurrency - 1 && this.isCritical(critical);
  }

  /** Whether the only slot's next item holds the critical host up whenever it is served, and least right after its turn. */
  private holdsUpLeastNow(critical: HostQueue<T>, takesMs: number): boolean {
    const isOnlySlot = this.options.concurrency === 1;
    return isOnlySlot && this.lastServed === critical && takesMs > critical.delayMs;
  }

  /** Whether the host's own work will last longer than all that waits, every slot taken. */
  private isCritical(queue: HostQueue<T>): boolean {
    return this.left.ofHostMs(queue) * this.options.concurrency > this.left.allMs;
  }
}

function isReadyBefore(a: HostQueue<unknown>, b: HostQueue<unknown>): boolean {
  return a.readyAtMs < b.readyAtMs;
}
