/** How many requests for readers a host may get in an hour, by default. With a delay of a second, that is a sixtieth of its time. */
export const defaultHourlyShare = 60;

/** What readers have requested of a host, and what of it was admitted last. */
export interface HostShares {
  /** Counts one request more in the hour of `now`; `false` when `most` are counted already. */
  take(hostKey: string, now: Date, most: number): Promise<boolean>;
  /** When a request was last admitted to the host's group; milliseconds since 1970. */
  admittedAtMs(hostKey: string): Promise<number | undefined>;
  markAdmitted(hostKey: string, atMs: number): Promise<void>;
}

/** The end of the hour in which the requests of now are counted. */
export function endOfHour(now: Date): Date {
  const hourMs = 3_600_000;
  return new Date((Math.floor(now.getTime() / hourMs) + 1) * hourMs);
}
