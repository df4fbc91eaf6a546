/** When messages in flight were received. */
export interface ReceiveTimes {
  /** Milliseconds since the epoch; undefined for a message that is not in flight. */
  of(queueName: string, receiptHandle: string): number | undefined;
}

/** A queue of fauxqs, as far as this module needs it. */
interface Queue {
  readonly inflightMessages: ReadonlyMap<string, object>;
  dequeue(...parameters: unknown[]): { readonly ReceiptHandle: string }[];
}

/** By the entries of messages in flight. */
const times = new WeakMap<object, number>();
const adapted = new WeakSet<object>();

/** Makes queues note when they hand out a message. @param prototype that of the queues */
export function noteReceiveTimes(prototype: Queue): void {
  // A process may start several clouds.
  if (adapted.has(prototype)) return;
  adapted.add(prototype);
  const { dequeue } = prototype;
  prototype.dequeue = function (this: Queue, ...parameters) {
    const messages = dequeue.apply(this, parameters);
    for (const { ReceiptHandle } of messages) {
      const entry = this.inflightMessages.get(ReceiptHandle);
      if (entry !== undefined) times.set(entry, Date.now());
    }
    return messages;
  };
}

export function receiveTimesOf(queueNamed: (name: string) => unknown): ReceiveTimes {
  return {
    of: (queueName, receiptHandle) => {
      const queue = queueNamed(queueName) as Queue | undefined;
      const entry = queue?.inflightMessages.get(receiptHandle);
      return entry && times.get(entry);
    },
  };
}
