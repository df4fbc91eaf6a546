/** The requests to one host in order, and the host's pace. */
export class HostQueue<T> {
  /** No request may start before. */
  readyAtMs = 0;
  /** Whether the queue is waiting, or an item of it is being served. */
  isScheduled = false;
  /** The work left, as of the last `rank`. */
  workLeft = 0;
  private readonly items: T[] = [];
  /** Index of the next item. */
  private next = 0;
  /** Retries and further hops, the latest last: they come before all other items. */
  private readonly retries: T[] = [];
  /** Retries that come after all other items, with the time before which none of them starts. */
  private readonly later: { item: T; dueAtMs: number }[] = [];
  private served = 0;
  private servedMs = 0;
  /** The shortest delay so far: a longer one, as after a Retry-After, is an exception. */
  private delayMs = Number.POSITIVE_INFINITY;

  get length(): number {
    return this.items.length - this.next + this.retries.length + this.later.length;
  }

  /** Before it no item is due, besides the host's delay: when only late retries are left. */
  get firstDueAtMs(): number {
    const hasOthers = this.retries.length > 0 || this.next < this.items.length;
    return hasOthers ? 0 : (this.later[0]?.dueAtMs ?? 0);
  }

  /** Whether an item has been served, so that the host's pace is known. */
  get isKnown(): boolean {
    return this.served > 0;
  }

  /** The mean time of an item with the delay after it; for known hosts only. */
  get paceMs(): number {
    return this.servedMs / this.served + this.delayMs;
  }

  add(item: T): void {
    this.items.push(item);
  }

  addFirst(item: T): void {
    this.retries.push(item);
  }

  /** Adds an item that comes after all others, not before its time. */
  addLast(item: T, dueAtMs: number): void {
    this.later.push({ item, dueAtMs });
  }

  /** The next item; there must be one. */
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

  /** Updates `workLeft`: milliseconds for a known host, else items. A heap that holds the queue depends on it. */
  rank(): void {
    this.workLeft = this.length * (this.isKnown ? this.paceMs : 1);
  }
}
