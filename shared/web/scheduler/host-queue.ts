/** The requests to one host, in order, with the host's pace. */
export class HostQueue<T> {
  /** The time before which no request may start. */
  readyAtMs = 0;
  /** Whether the queue is waiting, or an item of it is being served. */
  isScheduled = false;
  /** The remaining work, as computed by the last `rank`. */
  workLeft = 0;
  private readonly items: T[] = [];
  /** Index of the next item. */
  private next = 0;
  /** Retries and further hops. They precede all other items; the one added last comes first. */
  private readonly retries: T[] = [];
  /** Retries that follow all other items, with the earliest times at which they may start. */
  private readonly later: { item: T; dueAtMs: number }[] = [];
  private served = 0;
  private servedMs = 0;
  /** The shortest delay so far. Longer delays, such as those after a Retry-After, are exceptions. */
  private delayMs = Number.POSITIVE_INFINITY;

  get length(): number {
    return this.items.length - this.next + this.retries.length + this.later.length;
  }

  /**
   * The earliest time at which an item is due, apart from the host's delay. It is 0 unless only late retries are left.
   */
  get firstDueAtMs(): number {
    const hasOthers = this.retries.length > 0 || this.next < this.items.length;
    return hasOthers ? 0 : (this.later[0]?.dueAtMs ?? 0);
  }

  /** Whether an item has been served, so that the host's pace is known. */
  get isKnown(): boolean {
    return this.served > 0;
  }

  /** The mean duration of an item plus the delay after it. Valid only when `isKnown` is set. */
  get paceMs(): number {
    return this.servedMs / this.served + this.delayMs;
  }

  add(item: T): void {
    this.items.push(item);
  }

  addFirst(item: T): void {
    this.retries.push(item);
  }

  /** Adds an item that comes after all others, at the given time at the earliest. */
  addLast(item: T, dueAtMs: number): void {
    this.later.push({ item, dueAtMs });
  }

  /** Removes and returns the next item. The queue must not be empty. */
  shift(): T {
    const retry = this.retries.pop();
    if (retry !== undefined) return retry;
    if (this.next < this.items.length) return this.items[this.next++] as T;
    return this.later.shift()?.item as T;
  }

  recordServed({ tookMs, delayMs }: { tookMs: number; delayMs: number }): void {
    this.served++;
    this.servedMs += tookMs;
    this.delayMs = Math.min(this.delayMs, delayMs);
  }

  /**
   * Updates `workLeft`: milliseconds for a known host, otherwise the number of items. The heap that holds the queue
   * must be updated afterwards.
   */
  rank(): void {
    this.workLeft = this.length * (this.isKnown ? this.paceMs : 1);
  }
}
