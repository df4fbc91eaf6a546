import { describe, expect, it } from "vitest";
import { dayBefore, dayIn, daysBefore, daysBetween } from "../../../shared/core/day.ts";

describe("days", () => {
  it.each([
    ["Pacific/Auckland", "2026-11-20T12:00:00Z", "2026-11-21"],
    ["UTC", "2026-11-20T23:59:59Z", "2026-11-20"],
    ["America/New_York", "2026-11-20T04:59:59Z", "2026-11-19"],
  ])("%s at %s → %s", (timeZone, at, day) => {
    expect(dayIn(timeZone, new Date(at))).toBe(day);
  });

  it.each([
    ["2026-03-01", 1, "2026-02-28"],
    ["2028-03-01", 1, "2028-02-29"],
    ["2026-01-01", 1, "2025-12-31"],
    // Clocks are set back in between, in many time zones.
    ["2026-11-02", 27, "2026-10-06"],
    ["2026-11-20", 0, "2026-11-20"],
    ["2026-12-31", -1, "2027-01-01"],
  ])("%s, %i days before → %s", (day, days, expected) => {
    expect(daysBefore(day, days)).toBe(expected);
    if (days === 1) expect(dayBefore(day)).toBe(expected);
  });

  it.each<[string, string, number, string[] | undefined]>([
    ["2026-02-27", "2026-03-01", 3, ["2026-02-27", "2026-02-28", "2026-03-01"]],
    ["2026-02-27", "2026-02-27", 1, ["2026-02-27"]],
    ["2026-02-27", "2026-03-01", 2, undefined],
    ["2026-02-27", "2026-02-26", 9, undefined],
  ])("from %s to %s, at most %i → %j", (first, last, most, expected) => {
    expect(daysBetween(first, last, { most })).toEqual(expected);
  });
});
