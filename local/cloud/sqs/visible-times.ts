/** The part of a fauxqs queue that this module uses. Times are milliseconds since the epoch. */
interface Queue {
  readonly inflightMessages: ReadonlyMap<string, { readonly visibilityDeadline: number }>;
  readonly delayedMessages: readonly DelayedMessage[];
  readonly fifoDelayed: ReadonlyMap<string, readonly DelayedMessage[]>;
}

interface DelayedMessage {
  readonly delayUntil?: number;
}

/** Returns when the first of the hidden messages of these queues becomes visible; undefined if none is hidden. */
export function nextVisibleMs(queues: Iterable<unknown>): number | undefined {
  let next = Number.POSITIVE_INFINITY;
  for (const queue of queues) {
    const { inflightMessages, delayedMessages, fifoDelayed } = queue as Queue;
    for (const { visibilityDeadline } of inflightMessages.values()) next = Math.min(next, visibilityDeadline);
    for (const { delayUntil = 0 } of [...delayedMessages, ...[...fifoDelayed.values()].flat()])
      next = Math.min(next, delayUntil);
  }
  return Number.isFinite(next) ? next : undefined;
}
