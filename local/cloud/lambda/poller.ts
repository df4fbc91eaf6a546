import { setTimeout as delay } from "node:timers/promises";
import type { Faults } from "../faults.ts";
import { readLineage } from "../lineage.ts";
import type { Service } from "../service.ts";
import { TooManyRequests } from "./concurrency.ts";
import type { EventSource } from "./event-sources.ts";
import { SourceQueue } from "./source-queue.ts";
import { buildSqsEvent, type ReceivedMessage, succeededMessages, traceHeadersOf } from "./sqs-batch.ts";

interface PollerOptions {
  sqs: Service;
  region: string;
  isPaused: boolean;
  faults: Faults | undefined;
}

type InvocationResult = { value: unknown } | "failed";

/**
 * The wait after a throttled batch, in milliseconds. It starts at `first` and doubles each time, up to
 * `most`.
 */
const throttledPauseMs = { first: 50, most: 2000 };

/** Polls a queue and invokes its function until it is stopped. */
export class Poller {
  private readonly source: EventSource;
  private readonly region: string;
  private readonly faults: Faults | undefined;
  private readonly queue: SourceQueue;
  private isStopped = false;
  /** Unresolved while the poller is paused. */
  private gate = Promise.withResolvers<void>();
  private readonly underWay = new Set<Promise<void>>();
  private readonly polling: Promise<void>;

  /** Starts polling, unless the poller is paused. */
  constructor(source: EventSource, { sqs, region, isPaused, faults }: PollerOptions) {
    this.source = source;
    this.region = region;
    this.faults = faults;
    this.queue = new SourceQueue(source, sqs);
    if (!isPaused) this.gate.resolve();
    this.polling = this.poll();
  }

  /** Returns whether a received batch is not done. */
  isBusy(): boolean {
    return this.underWay.size > 0;
  }

  pause(): void {
    this.gate = Promise.withResolvers<void>();
  }

  resume(): void {
    this.gate.resolve();
  }

  /** Stops receiving messages, and waits for running invocations. The caller must end a long poll. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.gate.resolve();
    await this.polling;
    await Promise.all(this.underWay);
  }

  private async poll(): Promise<void> {
    const { underWay, source } = this;
    while (!this.isStopped) {
      await this.gate.promise;
      while (underWay.size >= source.concurrency) await Promise.race(underWay);
      const batch = this.isStopped ? [] : await this.queue.receiveBatch(() => this.isStopped);
      if (batch.length === 0) continue;
      const run = this.process(batch).finally(() => underWay.delete(run));
      underWay.add(run);
    }
  }

  private async process(batch: readonly ReceivedMessage[]): Promise<void> {
    const answers = (await this.invokeWithFaults(batch)).filter((answer) => answer !== "failed");
    if (answers.length === 0) {
      // With injected faults, failed messages become visible at once, because the visibility timeout takes
      // minutes.
      if (this.faults !== undefined) await this.queue.makeVisible(batch);
      return;
    }
    const { reportsFailures } = this.source;
    const succeeded = new Set(
      answers.flatMap(({ value }) => (reportsFailures ? succeededMessages(batch, value) : batch)),
    );
    await this.queue.delete(batch.filter((message) => succeeded.has(message)));
  }

  /** Returns the outcomes of all invocations: two for a batch that is delivered twice. */
  private async invokeWithFaults(batch: readonly ReceivedMessage[]): Promise<InvocationResult[]> {
    const { faults, source, underWay } = this;
    switch (faults?.ofDelivery({ functionName: source.target.name, otherInvocations: underWay.size })) {
      case "duplicate":
        // A message group has only one consumer at a time.
        if (source.queueName.endsWith(".fifo")) return [await this.invoke(batch), await this.invoke(batch)];
        return Promise.all([this.invoke(batch), this.invoke(batch)]);
      case "lose answer":
        await this.invoke(batch);
        return [];
      case "kill": {
        const invocation = this.invoke(batch);
        await delay(faults?.pauseMs());
        await source.target.kill();
        return [await invocation];
      }
      default:
        return [await this.invoke(batch)];
    }
  }

  /**
   * Invokes the function. A throttled batch is retried until its messages become visible to other receivers.
   */
  private async invoke(batch: readonly ReceivedMessage[]): Promise<InvocationResult> {
    const { source, region } = this;
    const event = buildSqsEvent(batch, { arn: source.queueArn, region });
    const lineage = readLineage(traceHeadersOf(batch));
    const visibleAtMs = Date.now() + source.visibilityMs;
    for (let pauseMs = throttledPauseMs.first; ; pauseMs = Math.min(2 * pauseMs, throttledPauseMs.most)) {
      try {
        return { value: await source.target.invoke(event, { lineage }) };
      } catch (error) {
        // The function's log has the cause. The messages are received again after their visibility timeout.
        if (!(error instanceof TooManyRequests)) return "failed";
        if (this.isStopped || Date.now() + pauseMs >= visibleAtMs) return "failed";
        await delay(pauseMs);
      }
    }
  }
}
