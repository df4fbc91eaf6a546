import { setTimeout as delay } from "node:timers/promises";
import { inBatches } from "../../../shared/core/in-batches.ts";
import type { Faults } from "../faults.ts";
import { callJson, type Service } from "../service.ts";
import { TooManyRequests } from "./concurrency.ts";
import type { EventSource } from "./event-sources.ts";
import { buildSqsEvent, type ReceivedMessage, succeededMessages } from "./sqs-batch.ts";

export interface Poller {
  pause(): void;
  resume(): void;
  /** Receives no more messages, and waits for running invocations. The caller must end a long poll. */
  stop(): Promise<void>;
}

type InvocationResult = { value: unknown } | "failed";

const longPollSeconds = 20;

/** How long a throttled batch waits: at first, doubled each time, and at most. */
const throttledPauseMs = { first: 50, most: 2000 };

/** Polls a queue and invokes its function until it is stopped. */
export function startPoller(
  source: EventSource,
  {
    sqs,
    region,
    isPaused,
    faults,
  }: { sqs: Service; region: string; isPaused: boolean; faults: Faults | undefined },
): Poller {
  let stopped = false;
  let gate = Promise.withResolvers<void>();
  if (!isPaused) gate.resolve();
  const underWay = new Set<Promise<void>>();

  async function receive(count: number, waitSeconds: number): Promise<ReceivedMessage[]> {
    const { Messages = [] } = await callJson<{ Messages?: ReceivedMessage[] }>(
      sqs,
      "AmazonSQS.ReceiveMessage",
      {
        QueueUrl: source.queueUrl,
        MaxNumberOfMessages: Math.min(count, 10),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      },
    );
    return Messages;
  }

  /** Receives a batch: several receives if the mapping has a larger batch size or a batching window. */
  async function collect(): Promise<ReceivedMessage[]> {
    const batch = await receive(source.batchSize, longPollSeconds);
    const endsAtMs = Date.now() + source.windowMs;
    while (batch.length > 0 && batch.length < source.batchSize && !stopped) {
      const waitSeconds = Math.max(0, endsAtMs - Date.now()) / 1000;
      const more = await receive(source.batchSize - batch.length, waitSeconds);
      if (more.length === 0) break;
      batch.push(...more);
    }
    return batch;
  }

  async function process(batch: readonly ReceivedMessage[]): Promise<void> {
    const answers = (await invokeWithFaults(batch)).filter((answer) => answer !== "failed");
    if (answers.length === 0) {
      // Under faults, messages do not wait for the visibility timeout, which takes minutes.
      if (faults !== undefined)
        await callBatches("AmazonSQS.ChangeMessageVisibilityBatch", batch, { VisibilityTimeout: 0 });
      return;
    }
    const succeeded = new Set(
      answers.flatMap(({ value }) => (source.reportsFailures ? succeededMessages(batch, value) : batch)),
    );
    const done = batch.filter((message) => succeeded.has(message));
    await callBatches("AmazonSQS.DeleteMessageBatch", done);
  }

  /** The answers of all invocations: two for a batch that is delivered twice. */
  async function invokeWithFaults(batch: readonly ReceivedMessage[]): Promise<InvocationResult[]> {
    switch (faults?.ofDelivery({ functionName: source.target.name, otherInvocations: underWay.size })) {
      case "duplicate":
        // A message group has one consumer at a time.
        if (source.queueName.endsWith(".fifo")) return [await invoke(batch), await invoke(batch)];
        return Promise.all([invoke(batch), invoke(batch)]);
      case "lose answer":
        await invoke(batch);
        return [];
      case "kill": {
        const invocation = invoke(batch);
        await delay(faults?.pauseMs());
        await source.target.kill();
        return [await invocation];
      }
      default:
        return [await invoke(batch)];
    }
  }

  async function callBatches(
    action: string,
    messages: readonly ReceivedMessage[],
    parameters: object = {},
  ): Promise<void> {
    for (const some of inBatches(messages, 10)) {
      const Entries = some.map(({ ReceiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle,
        ...parameters,
      }));
      await callJson(sqs, action, { QueueUrl: source.queueUrl, Entries });
    }
  }

  /** A throttled batch is invoked again until its messages are visible to others. */
  async function invoke(batch: readonly ReceivedMessage[]): Promise<InvocationResult> {
    const event = buildSqsEvent(batch, { arn: source.queueArn, region });
    const visibleAtMs = Date.now() + source.visibilityMs;
    for (let pauseMs = throttledPauseMs.first; ; pauseMs = Math.min(2 * pauseMs, throttledPauseMs.most)) {
      try {
        return { value: await source.target.invoke(event) };
      } catch (error) {
        // The function's log says why it failed. The messages return after their visibility timeout.
        if (!(error instanceof TooManyRequests)) return "failed";
        if (stopped || Date.now() + pauseMs >= visibleAtMs) return "failed";
        await delay(pauseMs);
      }
    }
  }

  async function poll(): Promise<void> {
    while (!stopped) {
      await gate.promise;
      while (underWay.size >= source.concurrency) await Promise.race(underWay);
      const batch = stopped ? [] : await collect();
      if (batch.length === 0) continue;
      const run = process(batch).finally(() => underWay.delete(run));
      underWay.add(run);
    }
  }

  const polling = poll();
  return {
    pause: () => {
      gate = Promise.withResolvers<void>();
    },
    resume: () => gate.resolve(),
    stop: async () => {
      stopped = true;
      gate.resolve();
      await polling;
      await Promise.all(underWay);
    },
  };
}
