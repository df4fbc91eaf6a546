/** The time by which the timeout may exceed the wait. It is less than a message takes through the queue. */
const toleranceMs = 100;

/**
 * Returns the visibility timeout of messages that wait, in whole seconds. The wait is rounded down, because the gate
 * itself waits for the rest of a second. Rounding up would prolong a run with a delay of 2.5 s by a fifth
 * (`docs/scaling.md`).
 */
export function visibilityTimeoutSeconds(waitMs: number): number {
  return Math.floor((waitMs + toleranceMs) / 1000);
}
