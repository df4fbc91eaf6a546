import { Heap } from "./heap.ts";
import type { HostQueue } from "./host-queue.ts";

/** The hosts that may be asked now. */
export class ReadyHosts<T> {
  /** Asked before; apart by how long an item takes, so that one that fits into a gap is found. */
  private readonly known = new Map<number, Heap<HostQueue<T>>>();
  private readonly unknown = new Heap<HostQueue<T>>(hasMoreWork);
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(queue: HostQueue<T>): void {
    queue.rank();
    this.count++;
    this.heapOf(queue).push(queue);
  }

  /** The host never asked that has the most items. */
  get largestUnknown(): HostQueue<T> | undefined {
    return this.unknown.first();
  }

  /** Of the hosts asked before whose items fit into the time, the one with the most work left. */
  longestKnown(withinMs = Number.POSITIVE_INFINITY): HostQueue<T> | undefined {
    let longest: HostQueue<T> | undefined;
    for (const heap of this.known.values()) {
      const first = heap.first();
      if (first === undefined || first.servingMs > withinMs) continue;
      if (longest === undefined || hasMoreWork(first, longest)) longest = first;
    }
    return longest;
  }

  /** Takes out a host that one of the two above has given. */
  remove(queue: HostQueue<T>): void {
    this.count--;
    this.heapOf(queue).shift();
  }

  private heapOf(queue: HostQueue<T>): Heap<HostQueue<T>> {
    if (!queue.isKnown) return this.unknown;
    // Two classes per doubling.
    const servingClass = Math.floor(2 * Math.log2(Math.max(1, queue.servingMs)));
    let heap = this.known.get(servingClass);
    if (heap === undefined) {
      heap = new Heap<HostQueue<T>>(hasMoreWork);
      this.known.set(servingClass, heap);
    }
    return heap;
  }
}

function hasMoreWork(a: HostQueue<unknown>, b: HostQueue<unknown>): boolean {
  return a.priority > b.priority;
}
