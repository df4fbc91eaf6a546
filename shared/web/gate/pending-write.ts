/**
 * The answer of a host that is being stored while the host's next request is on its way: one at a time, so that answers
 * are stored in the order in which they came.
 */
export class PendingWrite {
  private current: { exchangeId: string; done: Promise<void> } | undefined;

  /** The exchange whose answer is being stored, or could not be. */
  get exchangeId(): string | undefined {
    return this.current?.exchangeId;
  }

  /** To be called when the one before has ended. Whoever waits for the end gets the error, if there is one. */
  start(exchangeId: string, store: () => Promise<void>): void {
    const done = store().then(() => {
      this.current = undefined;
    });
    done.catch(() => {});
    this.current = { exchangeId, done };
  }

  /** Waits until nothing is being stored. @throws what storing has thrown, each time */
  async flush(): Promise<void> {
    await this.current?.done;
  }
}
