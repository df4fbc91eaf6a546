/** Time as a parameter: a test sets it, and does not wait. */
export interface Clock {
  now(): Date;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  // Node's timers take whole milliseconds: round up, never wake early.
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms))),
};
