/** Work that runs in parallel to the runs. It ends when its signal is aborted. */
export class WorkBeside {
  /** Aborted by the signal of the process, or at the end of this work. */
  readonly signal: AbortSignal;
  private readonly ended = new AbortController();
  private readonly parts: Promise<void>[] = [];

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.ended.signal]);
  }

  add(work: Promise<void>): void {
    // `all` reports errors after the run.
    work.catch(() => undefined);
    this.parts.push(work);
  }

  /** Waits for the work. @throws the first error of the work */
  async all(): Promise<void> {
    await Promise.all(this.parts);
  }

  /** Stops the work, and waits for its end. */
  async end(): Promise<void> {
    this.ended.abort();
    await Promise.allSettled(this.parts);
  }
}
