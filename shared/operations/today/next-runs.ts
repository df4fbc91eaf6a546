import { dayIn, daysBefore } from "../../core/day.ts";

/**
 * Returns when the next daily run starts, which is the first time after `now` at which clocks of the zone show this
 * hour.
 * @param hour 0 to 23
 */
export function nextDaily(hour: number, timeZone: string, now: Date): Date {
  const today = dayIn(timeZone, now);
  for (const day of [today, daysBefore(today, -1)]) {
    const at = instantOf(day, hour, timeZone);
    if (at.getTime() > now.getTime()) return at;
  }
  return instantOf(daysBefore(today, -2), hour, timeZone);
}

/** Returns the instant at which clocks of the zone show a full hour of a day. */
function instantOf(day: string, hour: number, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${String(hour).padStart(2, "0")}:00:00Z`);
  // The second guess uses the offset of the instant itself, so that it is right even on the day of a clock change.
  const guess = wanted - offsetMs(new Date(wanted), timeZone);
  return new Date(wanted - offsetMs(new Date(guess), timeZone));
}

/** Returns the time by which clocks of the zone are ahead of UTC, to the second. */
function offsetMs(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return shown - Math.floor(at.getTime() / 1000) * 1000;
}
