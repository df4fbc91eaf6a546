/** The clock as a parameter, so that tests set the time and never wait. */
export interface Clock {
  now(): Date;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  // Node's timers take whole milliseconds. Rounding up prevents waking early.
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms))),
};
