/**
 * The maximum number of messages that one receive returns, and so the maximum number of messages of a group
 * in flight.
 */
const maxMessages = 10;

/** The part of a fauxqs queue that this module uses. */
interface FifoQueue {
  readonly fifoMessages: ReadonlyMap<string, { readonly sequenceNumber: string }[]>;
  /** The number of messages in flight, by group. Groups without any are absent. */
  readonly fifoLockedGroups: Map<string, number>;
  readonly inflightMessages: ReadonlyMap<string, { readonly message: { readonly messageGroupId: string } }>;
  processTimers(): void;
  dequeueFifo: Dequeue;
}

type Dequeue = (this: FifoQueue, maxCount: number, ...rest: unknown[]) => { ReceiptHandle: string }[];

const adapted = new WeakSet<object>();

/**
 * Changes receives, so that one receive returns as many messages of one group as possible, in order, before
 * those of the next group. fauxqs would return one message per group. A group is locked until all of its
 * messages in flight are deleted or visible.
 *
 * @param prototype the prototype of the queues
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
 */
export function receiveBatchesOfGroups(prototype: FifoQueue): void {
  // Already adapted if this process started another cloud before.
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

/**
 * Restores the order of messages. fauxqs puts each returned message before all others, which reverses several
 * of them.
 */
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
