/** Time as a parameter, so that a test can set it and a wait costs nothing there. */
export interface Clock {
  now(): Date;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  // Node's timers take whole milliseconds: round up, never wake early.
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms))),
};
