/** The maximum number of pages that wait for their judgement; each page is kept in memory. */
const maxPages = 128;

/** The links that are being judged on other threads. */
export class JudgingLinks {
  private readonly pending = new Set<Promise<void>>();
  private failure: { error: unknown } | undefined;

  get isFull(): boolean {
    return this.pending.size >= maxPages;
  }

  add(judging: Promise<void>): void {
    const settled = judging.then(
      () => this.pending.delete(settled),
      (error) => {
        this.pending.delete(settled);
        this.failure ??= { error };
      },
    ) as Promise<void>;
    this.pending.add(settled);
  }

  /**
   * Resolves when the next link is judged.
   * @throws the error of any link
   */
  async next(): Promise<void> {
    await Promise.race(this.pending);
    if (this.failure !== undefined) throw this.failure.error;
  }

  /**
   * Resolves when all links are judged.
   * @throws the error of any link
   */
  async end(): Promise<void> {
    await Promise.all(this.pending);
    if (this.failure !== undefined) throw this.failure.error;
  }
}
