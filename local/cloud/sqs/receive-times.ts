/** When messages in flight were received. */
export interface ReceiveTimes {
  /** Returns the time in milliseconds since the epoch; undefined for a message that is not in flight. */
  of(queueName: string, receiptHandle: string): number | undefined;
}

/** The part of a fauxqs queue that this module uses. */
interface Queue {
  readonly inflightMessages: ReadonlyMap<string, object>;
  dequeue(...parameters: unknown[]): { readonly ReceiptHandle: string }[];
}

/** The times of messages in flight, by their entries. */
const times = new WeakMap<object, number>();
const adapted = new WeakSet<object>();

/** Makes queues record when a message is received. @param prototype the prototype of the queues */
export function noteReceiveTimes(prototype: Queue): void {
  // Already adapted if this process started another cloud before.
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
