/** May be lost: it is less than a message takes through the queue. */
const toleranceMs = 100;

/**
 * The visibility timeout of messages that wait, in whole seconds. It is rounded down, because the gate waits for the rest
 * of a second itself. Rounded up, a delay of 2.5 s would cost a fifth of the time of a run (`docs/scaling.md`).
 */
export function visibilityTimeoutSeconds(waitMs: number): number {
  return Math.floor((waitMs + toleranceMs) / 1000);
}
