/**
 * The write of a host's last response, which may overlap with the host's next request. Only one write runs at a time,
 * so that responses are stored in order.
 */
export class PendingWrite {
  private current: { exchangeId: string; done: Promise<void> } | undefined;

  /** The exchange whose response is being stored, or could not be stored. */
  get exchangeId(): string | undefined {
    return this.current?.exchangeId;
  }

  /** Starts a write. The previous write must have been flushed. `flush` throws the error of this write. */
  start(exchangeId: string, store: () => Promise<void>): void {
    const done = store().then(() => {
      this.current = undefined;
    });
    done.catch(() => {});
    this.current = { exchangeId, done };
  }

  /** Waits until nothing is being stored. @throws the error of the write, at each call */
  async flush(): Promise<void> {
    await this.current?.done;
  }
}
