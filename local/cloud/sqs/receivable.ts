/** The part of a fauxqs queue that this module uses. Times are milliseconds since the epoch. */
interface Queue {
  isFifo(): boolean;
  readonly messages: readonly unknown[];
  readonly inflightMessages: ReadonlyMap<string, { readonly visibilityDeadline: number }>;
  readonly delayedMessages: readonly DelayedMessage[];
  readonly fifoDelayed: ReadonlyMap<string, readonly DelayedMessage[]>;
  /** Whether a group without messages in flight has some. */
  hasAvailableFifoMessages(): boolean;
}

interface DelayedMessage {
  readonly delayUntil?: number;
}

/** Returns when a message of a queue can be received: 0 if one can be now, Infinity if there is none. */
export function nextReceivableMs(queue: unknown): number {
  if (queue === undefined) return Number.POSITIVE_INFINITY;
  const { messages, inflightMessages, delayedMessages, fifoDelayed } = queue as Queue;
  const isFifo = (queue as Queue).isFifo();
  if (isFifo ? (queue as Queue).hasAvailableFifoMessages() : messages.length > 0) return 0;
  const delayed = isFifo ? [...fifoDelayed.values()].flat() : delayedMessages;
  return Math.min(
    ...[...inflightMessages.values()].map(({ visibilityDeadline }) => visibilityDeadline),
    ...delayed.map(({ delayUntil = 0 }) => delayUntil),
    Number.POSITIVE_INFINITY,
  );
}
