/** Work in parallel to the runs. It ends with its signal. */
export class WorkBeside {
  /** The signal of the process, or of the end of this work. */
  readonly signal: AbortSignal;
  private readonly ended = new AbortController();
  private readonly parts: Promise<void>[] = [];

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.ended.signal]);
  }

  add(work: Promise<void>): void {
    // Errors are reported after the run, by `all`.
    work.catch(() => undefined);
    this.parts.push(work);
  }

  /** @throws the first error of it */
  async all(): Promise<void> {
    await Promise.all(this.parts);
  }

  /** Stops it, and waits for its end. */
  async end(): Promise<void> {
    this.ended.abort();
    await Promise.allSettled(this.parts);
  }
}
