import { inBatches } from "../../../shared/core/in-batches.ts";
import { callJson, type Service } from "../service.ts";
import type { EventSource } from "./event-sources.ts";
import type { ReceivedMessage } from "./sqs-batch.ts";

const longPollSeconds = 20;

/** The maximum number of messages of one call to SQS. */
const callSize = 10;

/** The messages of an event source. */
export class SourceQueue {
  private readonly source: EventSource;
  private readonly sqs: Service;

  constructor(source: EventSource, sqs: Service) {
    this.source = source;
    this.sqs = sqs;
  }

  /**
   * Receives a batch. Several receives are used if the mapping has a larger batch size or a batching window.
   * @param isStopped whether the poller was stopped, so that no further messages must be received
   */
  async receiveBatch(isStopped: () => boolean): Promise<ReceivedMessage[]> {
    const { batchSize, windowMs } = this.source;
    const batch = await this.receive(batchSize, longPollSeconds);
    const endsAtMs = Date.now() + windowMs;
    while (batch.length > 0 && batch.length < batchSize && !isStopped()) {
      const waitSeconds = Math.max(0, endsAtMs - Date.now()) / 1000;
      const more = await this.receive(batchSize - batch.length, waitSeconds);
      if (more.length === 0) break;
      batch.push(...more);
    }
    return batch;
  }

  delete(messages: readonly ReceivedMessage[]): Promise<void> {
    return this.callBatches("DeleteMessageBatch", messages, {});
  }

  makeVisible(messages: readonly ReceivedMessage[]): Promise<void> {
    return this.callBatches("ChangeMessageVisibilityBatch", messages, { VisibilityTimeout: 0 });
  }

  private async receive(count: number, waitSeconds: number): Promise<ReceivedMessage[]> {
    const input = {
      QueueUrl: this.source.queueUrl,
      MaxNumberOfMessages: Math.min(count, callSize),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ["All"],
      MessageAttributeNames: ["All"],
    };
    const { Messages = [] } = await callJson<{ Messages?: ReceivedMessage[] }>(
      this.sqs,
      "AmazonSQS.ReceiveMessage",
      input,
    );
    return Messages;
  }

  private async callBatches(
    action: string,
    messages: readonly ReceivedMessage[],
    parameters: object,
  ): Promise<void> {
    for (const some of inBatches(messages, callSize)) {
      const Entries = some.map(({ ReceiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle,
        ...parameters,
      }));
      await callJson(this.sqs, `AmazonSQS.${action}`, { QueueUrl: this.source.queueUrl, Entries });
    }
  }
}
