/**
 * The write of a host's last response, which may overlap with the host's next request. There is one at a time, so that
 * responds are stored in their order.
 */
export class PendingWrite {
  private current: { exchangeId: string; done: Promise<void> } | undefined;

  /** The exchange whose answer is being stored, or could not be stored. */
  get exchangeId(): string | undefined {
    return this.current?.exchangeId;
  }

  /** Starts a write; the one before must be flushed. `flush` throws its error. */
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
