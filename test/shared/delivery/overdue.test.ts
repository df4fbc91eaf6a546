import { describe, expect, it } from "vitest";
import { judgeTimeliness } from "../../../shared/delivery/overdue.ts";

const now = new Date("2026-11-20T20:00:00Z");
const source = { sourceId: "s", title: "A Journal", updateWindowDays: 0, addedAt: undefined };

/** ISO 8601, so many days before now. */
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

describe("judgeTimeliness", () => {
  it.each([
    ["delivered 60 days ago, no window → in time", 0, { lastDeliveredAt: daysAgo(60) }, undefined],
    ["delivered 61 days ago, no window → overdue", 0, { lastDeliveredAt: daysAgo(61) }, 60],
    ["delivered 61 days ago, window 137 → in time", 137, { lastDeliveredAt: daysAgo(61) }, undefined],
    ["delivered 8 days ago, window 7 → overdue", 7, { lastDeliveredAt: daysAgo(8) }, 7],
    ["never delivered, added 61 days ago → overdue", 0, { addedAt: daysAgo(61) }, 60],
    ["never delivered, added yesterday → in time", 0, { addedAt: daysAgo(1) }, undefined],
    [
      "added long ago, delivered yesterday → in time",
      0,
      { addedAt: daysAgo(900), lastDeliveredAt: daysAgo(1) },
      undefined,
    ],
  ])("%s", (_title, updateWindowDays, status, windowDays) => {
    const known = { sourceId: "s", addedAt: daysAgo(0), ...status };
    const found = judgeTimeliness({ ...source, updateWindowDays }, known, now);
    expect(found?.windowDays).toBe(windowDays);
  });

  it("the configured day counts before the day it was first seen", () => {
    const known = { sourceId: "s", addedAt: daysAgo(1) };
    expect(
      judgeTimeliness({ ...source, addedAt: "2026-01-01" }, known, now)?.lastDeliveredAt,
    ).toBeUndefined();
    expect(judgeTimeliness({ ...source, addedAt: "2026-01-01" }, known, now)?.windowDays).toBe(60);
  });

  it("nothing is known of it → in time", () => {
    expect(judgeTimeliness(source, undefined, now)).toBeUndefined();
  });
});
