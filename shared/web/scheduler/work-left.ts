import type { HostQueue } from "./host-queue.ts";

/** What a run has still to do, as far as is known. */
export class WorkLeft {
  /** How long an item takes with its delay at the slowest host. */
  private slowestPaceMs = 0;
  private knownMs = 0;
  private knownHosts = 0;
  private sumOfMeansMs = 0;
  private unknownItems = 0;

  /** Counts a host's work anew around something that changes it. */
  recount<Result>(queue: HostQueue<unknown>, change: () => Result): Result {
    this.count(queue, -1);
    const result = change();
    this.count(queue, 1);
    if (queue.isKnown) this.slowestPaceMs = Math.max(this.slowestPaceMs, queue.paceMs);
    return result;
  }

  /** How long all items take one after the other, without delays. */
  get allMs(): number {
    return this.knownMs + this.unknownItems * this.meanMs;
  }

  /** How long a host's items took with their delays when it was ranked; one never asked may be as slow as any. */
  ofHostMs(queue: HostQueue<unknown>): number {
    return queue.priority * (queue.isKnown ? 1 : this.slowestPaceMs);
  }

  /** How long an item takes, its delay not included; at a host never asked, what it takes at the mean of the others. */
  servingMs(queue: HostQueue<unknown>): number {
    return queue.isKnown ? queue.servingMs : this.meanMs;
  }

  private get meanMs(): number {
    return this.knownHosts === 0 ? 0 : this.sumOfMeansMs / this.knownHosts;
  }

  private count(queue: HostQueue<unknown>, sign: 1 | -1): void {
    if (!queue.isKnown) {
      this.unknownItems += sign * queue.length;
      return;
    }
    this.knownHosts += sign;
    this.sumOfMeansMs += sign * queue.servingMs;
    this.knownMs += sign * queue.length * queue.servingMs;
  }
}
