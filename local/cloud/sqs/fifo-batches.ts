/** The most messages that one receive returns, and so the most of a group that are in flight. */
const maxMessages = 10;

/** A queue of fauxqs, as far as this module needs it. */
interface FifoQueue {
  readonly fifoMessages: ReadonlyMap<string, { readonly sequenceNumber: string }[]>;
  /** The number of messages in flight of each group that has some. */
  readonly fifoLockedGroups: Map<string, number>;
  readonly inflightMessages: ReadonlyMap<string, { readonly message: { readonly messageGroupId: string } }>;
  processTimers(): void;
  dequeueFifo: Dequeue;
}

type Dequeue = (this: FifoQueue, maxCount: number, ...rest: unknown[]) => { ReceiptHandle: string }[];

const adapted = new WeakSet<object>();

/**
 * Makes a receive return as many messages of one group as it can, in order, before those of the next group. fauxqs returns
 * one per group. A group is closed until all of its messages in flight are deleted or visible.
 *
 * @param prototype that of the queues
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
 */
export function receiveBatchesOfGroups(prototype: FifoQueue): void {
  // A process may start several clouds.
  if (adapted.has(prototype)) return;
  adapted.add(prototype);
  const dequeueOne = prototype.dequeueFifo;
  prototype.dequeueFifo = function (maxCount, ...rest) {
    this.processTimers();
    for (const messages of this.fifoMessages.values()) restoreOrder(messages);
    const received: { ReceiptHandle: string }[] = [];
    const inFlight = new Map<string, number>();
    while (received.length < Math.min(maxCount, maxMessages)) {
      const [message] = dequeueOne.call(this, 1, ...rest);
      if (message === undefined) break;
      received.push(message);
      const group = this.inflightMessages.get(message.ReceiptHandle)?.message.messageGroupId ?? "";
      inFlight.set(group, (inFlight.get(group) ?? 0) + 1);
      this.fifoLockedGroups.delete(group);
    }
    for (const [group, count] of inFlight) this.fifoLockedGroups.set(group, count);
    return received;
  };
}

/** fauxqs puts each message that returns before all others, so that several are in reverse order. */
function restoreOrder(messages: { readonly sequenceNumber: string }[]): void {
  for (let index = 1; index < messages.length && index <= maxMessages; index++) {
    if (sequenceOf(messages, index) < sequenceOf(messages, index - 1)) {
      messages.sort((one, other) => (one.sequenceNumber < other.sequenceNumber ? -1 : 1));
      return;
    }
  }
}

function sequenceOf(messages: { readonly sequenceNumber: string }[], index: number): string {
  return messages[index]?.sequenceNumber ?? "";
}
