/** The work on one host, in its order, and what the host has been seen to take. */
export class HostQueue<T> {
  /** No request may start before. */
  readyAtMs = 0;
  /** Whether the queue stands among the others, or is being served. */
  isPlaced = false;
  /** The work left when the queue was ranked: milliseconds, or items for a host never asked. */
  priority = 0;
  /** The shortest delay owed so far: a longer one was for once, as after an answer that asked for patience. */
  delayMs = Number.POSITIVE_INFINITY;
  /** Those before `next` have been taken. */
  private readonly items: T[] = [];
  private next = 0;
  /** What has been begun and comes first: retries and further hops, the latest last. */
  private readonly retries: T[] = [];
  private served = 0;
  private servedMs = 0;

  /** Items that wait. */
  get length(): number {
    return this.items.length - this.next + this.retries.length;
  }

  /** Whether the host has been asked before. */
  get isKnown(): boolean {
    return this.served > 0;
  }

  /** How long an item takes, the delay after it not included. */
  get servingMs(): number {
    return this.servedMs / this.served;
  }

  /** How long an item takes with the delay after it. */
  get paceMs(): number {
    return this.servingMs + this.delayMs;
  }

  add(item: T): void {
    this.items.push(item);
  }

  addFirst(item: T): void {
    this.retries.push(item);
  }

  /** The next item; there must be one. */
  shift(): T {
    return (this.retries.pop() ?? this.items[this.next++]) as T;
  }

  recordServed(served: { tookMs: number; delayMs: number }): void {
    this.served++;
    this.servedMs += served.tookMs;
    this.delayMs = Math.min(this.delayMs, served.delayMs);
  }

  /** Sets the priority, which must not change while the queue stands among others. */
  rank(): void {
    this.priority = this.length * (this.isKnown ? this.paceMs : 1);
  }
}
