import { Heap } from "./heap.ts";
import { Pace } from "./host-pace.ts";

/** The work on one host. */
interface HostQueue<T> {
  /** In their order; those before `next` have been taken. */
  readonly items: T[];
  next: number;
  /** What has been begun and comes first: retries and further hops, the latest last. */
  readonly begun: T[];
  /** The estimates of all items that wait. */
  weight: number;
  /** The estimates of the items served, and what those have taken with their delays. */
  servedWeight: number;
  spentMs: number;
  /** No request may start before. */
  readyAtMs: number;
  /** Whether the queue is in one of the heaps, or being served. */
  isPlaced: boolean;
  /** The work left when the queue was placed: milliseconds, or the estimate alone for a host never asked yet. */
  priority: number;
}

/** An item to serve. Nobody else is given its host's queue until the turn is finished. */
export interface Turn<T> {
  queue: HostQueue<T>;
  item: T;
}

export interface HostQueuesOptions<T> {
  hostOf(item: T): string;
  /** Items served at once, over all hosts; of one host never more than one. */
  concurrency: number;
  /** What an item takes compared with others, its delay included, in any unit: 1 each when absent. */
  estimate?: (item: T) => number;
}

/**
 * The queues of all hosts, and the decision whose turn it is: among the hosts that may be asked now the one with the most
 * work left, by the estimates and by how the host has kept to them. Each decision costs O(log hosts).
 *
 * A host whose own work will last longer than everything else together is critical: the run cannot end before it. When
 * such a host may be asked again before another request would be over, a slot is kept free for it.
 */
export class HostQueues<T> {
  private readonly options: HostQueuesOptions<T>;
  private readonly estimate: (item: T) => number;
  private readonly queues = new Map<string, HostQueue<T>>();
  /** May be asked now, and have been asked before. */
  private readonly known = new Heap<HostQueue<T>>(hasMoreWork);
  /** May be asked now, for the first time: what their estimates mean in milliseconds changes while they are here. */
  private readonly unknown = new Heap<HostQueue<T>>(hasMoreWork);
  /** Must not be asked yet. */
  private readonly waiting = new Heap<HostQueue<T>>(isReadyBefore);
  private readonly criticalWaiting = new Heap<HostQueue<T>>(isReadyBefore);
  /** Of all hosts together. */
  private readonly pace = new Pace();
  private underWay = 0;

  constructor(options: HostQueuesOptions<T>) {
    this.options = options;
    this.estimate = options.estimate ?? (() => 1);
  }

  /** Puts an item at the end of its host's queue. */
  add(item: T): void {
    const queue = this.queueOf(item);
    queue.items.push(item);
    this.lengthen(queue, item);
  }

  /** Puts an item at the front of its host's queue: what has begun is brought to its end first. */
  addBegun(item: T): void {
    const queue = this.queueOf(item);
    queue.begun.push(item);
    this.lengthen(queue, item);
  }

  /** The next turn; undefined while no host may be asked, or no slot is free for those that may. */
  take(nowMs: number): Turn<T> | undefined {
    this.promote(this.waiting, nowMs);
    this.promote(this.criticalWaiting, nowMs);
    if (this.keepsSlotsFree(nowMs)) return undefined;
    const queue = this.takeLongest();
    if (queue === undefined) return undefined;
    const item = (queue.begun.pop() ?? queue.items[queue.next++]) as T;
    const weight = this.estimate(item);
    queue.weight -= weight;
    this.pace.addWaiting(-weight);
    this.underWay++;
    return { queue, item };
  }

  /**
   * Ends a turn: the host may be asked again `delayMs` after now.
   * @param served.tookMs what the item has taken, without the delay
   */
  finish({ queue, item }: Turn<T>, served: { nowMs: number; tookMs: number; delayMs: number }): void {
    const weight = this.estimate(item);
    this.pace.addServed(weight, served);
    queue.servedWeight += weight;
    queue.spentMs += served.tookMs + served.delayMs;
    queue.readyAtMs = served.nowMs + served.delayMs;
    queue.isPlaced = false;
    this.underWay--;
    if (queue.next < queue.items.length || queue.begun.length > 0) this.place(queue);
  }

  /** When the first of the hosts that must wait may be asked; undefined when none waits. */
  nextReadyAtMs(): number | undefined {
    const [a, b] = [this.waiting.first()?.readyAtMs, this.criticalWaiting.first()?.readyAtMs];
    return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
  }

  /** Whether no item waits. */
  isEmpty(): boolean {
    return [this.known, this.unknown, this.waiting, this.criticalWaiting].every(({ size }) => size === 0);
  }

  private queueOf(item: T): HostQueue<T> {
    const hostKey = this.options.hostOf(item);
    let queue = this.queues.get(hostKey);
    if (queue === undefined) {
      queue = newQueue();
      this.queues.set(hostKey, queue);
    }
    return queue;
  }

  private lengthen(queue: HostQueue<T>, item: T): void {
    const weight = this.estimate(item);
    queue.weight += weight;
    this.pace.addWaiting(weight);
    if (!queue.isPlaced) this.place(queue);
  }

  private place(queue: HostQueue<T>): void {
    queue.isPlaced = true;
    queue.priority = this.workLeft(queue);
    const isCritical = queue.servedWeight > 0 && this.outlastsAll(queue);
    (isCritical ? this.criticalWaiting : this.waiting).push(queue);
  }

  /** Moves the hosts whose delay is over among those that may be asked. */
  private promote(waiting: Heap<HostQueue<T>>, nowMs: number): void {
    for (let queue = waiting.first(); queue !== undefined; queue = waiting.first()) {
      if (queue.readyAtMs > nowMs) return;
      waiting.shift();
      queue.priority = this.workLeft(queue);
      (queue.servedWeight === 0 ? this.unknown : this.known).push(queue);
    }
  }

  private takeLongest(): HostQueue<T> | undefined {
    const known = this.known.first();
    const unknown = this.unknown.first();
    const isUnknown =
      known === undefined ||
      (unknown !== undefined && unknown.priority * this.pace.perUnitMs() > known.priority);
    return isUnknown ? this.unknown.shift() : this.known.shift();
  }

  /**
   * Whether the slots left are all needed by critical hosts before a request that starts now would be over. Not when a
   * critical host may be asked now: where most are critical, they would keep each other waiting beside free slots.
   */
  private keepsSlotsFree(nowMs: number): boolean {
    const critical = this.criticalWaiting.first();
    const longest = this.known.first();
    return (
      critical !== undefined &&
      (longest === undefined || !this.outlastsAll(longest)) &&
      this.options.concurrency - this.underWay <= this.criticalWaiting.size &&
      critical.readyAtMs < nowMs + this.pace.servingPerUnitMs() &&
      this.outlastsAll(critical)
    );
  }

  private outlastsAll(queue: HostQueue<T>): boolean {
    return queue.priority > this.pace.allWorkLeftMs(this.options.concurrency);
  }

  /** By the host's own mean, to which everybody's counts as one item more. */
  private workLeft(queue: HostQueue<T>): number {
    if (queue.servedWeight === 0) return queue.weight;
    return (queue.weight * (queue.spentMs + this.pace.perUnitMs())) / (queue.servedWeight + 1);
  }
}

function hasMoreWork(a: HostQueue<unknown>, b: HostQueue<unknown>): boolean {
  return a.priority > b.priority;
}

function isReadyBefore(a: HostQueue<unknown>, b: HostQueue<unknown>): boolean {
  return a.readyAtMs < b.readyAtMs;
}

function newQueue<T>(): HostQueue<T> {
  return {
    items: [],
    next: 0,
    begun: [],
    weight: 0,
    servedWeight: 0,
    spentMs: 0,
    readyAtMs: 0,
    isPlaced: false,
    priority: 0,
  };
}
