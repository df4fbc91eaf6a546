/**
 * The default number of requests for readers that a host may get per hour. With a delay of one second, they take a
 * sixtieth of the host's time.
 */
export const defaultHourlyShare = 60;

/** Counts the requests that readers cause at a host, and remembers when the last one was admitted. */
export interface HostShares {
  /** Counts one more request in the hour of `now`. @returns `false` when `most` requests are counted already */
  take(hostKey: string, now: Date, most: number): Promise<boolean>;
  /** Returns the time at which a request was last admitted to the host's group, in milliseconds since 1970. */
  admittedAtMs(hostKey: string): Promise<number | undefined>;
  markAdmitted(hostKey: string, atMs: number): Promise<void>;
}

/** Returns the end of the hour in which requests are counted now. */
export function endOfHour(now: Date): Date {
  const hourMs = 3_600_000;
  return new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs);
}
