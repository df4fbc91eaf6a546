import { expect, it } from "vitest";
import { nextDaily } from "../../../../shared/operations/today/next-runs.ts";

it.each([
  ["before the hour", "Europe/Berlin", "2026-11-20T12:00:00Z", "2026-11-20T19:00:00.000Z"],
  ["at the hour", "Europe/Berlin", "2026-11-20T19:00:00Z", "2026-11-21T19:00:00.000Z"],
  ["after it", "Europe/Berlin", "2026-11-20T22:30:00Z", "2026-11-21T19:00:00.000Z"],
  [
    "tomorrow by UTC, today by the zone",
    "America/New_York",
    "2026-11-21T00:30:00Z",
    "2026-11-21T01:00:00.000Z",
  ],
  ["the day after it by the zone", "Pacific/Auckland", "2026-11-20T08:00:00Z", "2026-11-21T07:00:00.000Z"],
  ["over the change to winter time", "Europe/Berlin", "2026-10-24T18:30:00Z", "2026-10-25T19:00:00.000Z"],
  ["over the change to summer time", "Europe/Berlin", "2026-03-28T19:30:00Z", "2026-03-29T18:00:00.000Z"],
  ["in a zone with half hours", "Asia/Kolkata", "2026-11-20T12:00:00Z", "2026-11-20T14:30:00.000Z"],
])("now %s of %s → the next full hour there", (_when, timeZone, now, next) => {
  expect(nextDaily(20, timeZone, new Date(now)).toISOString()).toBe(next);
});
