/** What may pass unused: less than a turn through the queue takes. */
const toleranceMs = 100;

/**
 * For how many whole seconds messages are hidden that wait for so long: rounded down, as the gate waits for the rest of a
 * second itself. Rounded up, a delay of 2.5 s would cost a fifth of the time of a run (`docs/scaling.md`).
 */
export function visibilityTimeoutSeconds(waitMs: number): number {
  return Math.floor((waitMs + toleranceMs) / 1000);
}
