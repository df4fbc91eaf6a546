/** What is known of the work of a run: what waits, by its estimates, and how long what was served has taken. */
export class Pace {
  /** The estimates of all items that wait. */
  private waitingWeight = 0;
  private servedWeight = 0;
  /** What the items served have taken, with and without the delays after them. */
  private spentMs = 0;
  private servingMs = 0;

  /** Counts an item that waits; below zero one that waits no more. */
  addWaiting(weight: number): void {
    this.waitingWeight += weight;
  }

  addServed(weight: number, served: { tookMs: number; delayMs: number }): void {
    this.servedWeight += weight;
    this.spentMs += served.tookMs + served.delayMs;
    this.servingMs += served.tookMs;
  }

  /** Milliseconds per unit of estimate, delays included. */
  perUnitMs(): number {
    return this.servedWeight === 0 ? 1 : this.spentMs / this.servedWeight;
  }

  /** How long serving takes per unit of estimate, without delays. NaN before anything was served. */
  servingPerUnitMs(): number {
    return this.servingMs / this.servedWeight;
  }

  /** How long all that waits will take when so many are served at once, without delays. */
  allWorkLeftMs(concurrency: number): number {
    return (this.waitingWeight * this.servingPerUnitMs()) / concurrency;
  }
}
