import type { GateMessage } from "../../shared/web/gate/gate-ports.ts";

interface StoredMessage {
  messageId: string;
  body: string;
  hiddenUntilMs: number;
  /** Only the receipt of the last receive counts. */
  receiptHandle: string;
}

/**
 * A FIFO queue as SQS has it, in memory: a group with a message in flight gives no others, messages that nobody deletes
 * come again, and an outdated receipt deletes nothing.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
 */
export class FifoQueue {
  private readonly groups = new Map<string, StoredMessage[]>();
  private readonly sent = new Set<string>();
  private readonly visibilityMs: number;
  private count = 0;

  /** @param visibilityMs how long a message is hidden after it was received */
  constructor(visibilityMs: number) {
    this.visibilityMs = visibilityMs;
  }

  /** @param deduplicationId a second message with the same one is dropped */
  send(group: string, body: string, deduplicationId: string): void {
    if (this.sent.has(deduplicationId)) return;
    this.sent.add(deduplicationId);
    const messages = this.groups.get(group) ?? [];
    this.groups.set(group, messages);
    messages.push({ messageId: `m${++this.count}`, body, hiddenUntilMs: 0, receiptHandle: "" });
  }

  /** Up to ten messages of the group that was asked for longest ago. */
  receive(): GateMessage[] {
    const now = performance.now();
    for (const [group, messages] of this.groups) {
      if (messages.length === 0 || messages.some(({ hiddenUntilMs }) => hiddenUntilMs > now)) continue;
      this.groups.delete(group);
      this.groups.set(group, messages);
      return messages.slice(0, 10).map((message) => {
        message.hiddenUntilMs = now + this.visibilityMs;
        message.receiptHandle = `receipt-${++this.count}`;
        const { messageId, receiptHandle, body } = message;
        return { messageId, receiptHandle, body };
      });
    }
    return [];
  }

  delete(received: GateMessage[]): void {
    const receipts = new Set(received.map(({ receiptHandle }) => receiptHandle));
    for (const messages of this.groups.values()) {
      const left = messages.filter(({ receiptHandle }) => !receipts.has(receiptHandle));
      messages.splice(0, messages.length, ...left);
    }
  }

  hide(received: GateMessage[], forMs: number): void {
    const receipts = new Set(received.map(({ receiptHandle }) => receiptHandle));
    for (const message of [...this.groups.values()].flat()) {
      if (receipts.has(message.receiptHandle)) message.hiddenUntilMs = performance.now() + forMs;
    }
  }

  get isEmpty(): boolean {
    return [...this.groups.values()].every((messages) => messages.length === 0);
  }
}
