/** What may pass unused: less than a turn through the queue takes. */
const letPassMs = 100;

/**
 * For how many whole seconds messages are hidden that wait for so long: rounded down, as the gate waits for the rest of a
 * second itself. Rounded up, a delay of 2.5 s would cost a fifth of the time of a run (`docs/scaling.md`).
 */
export function hiddenSeconds(waitMs: number): number {
  return Math.floor((waitMs + letPassMs) / 1000);
}
