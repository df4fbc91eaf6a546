import { dayBefore, daysBefore } from "../../core/day.ts";
import type { Verdict } from "../verdict/verdict.ts";

/** A record drawn at random, with the verdict of its check. */
export interface LinkSample {
  collectionId: string;
  /** `YYYY-MM-DD`. */
  day: string;
  recordId: string;
  verdict: Verdict;
}

/** The number of days that `now` covers; `before` covers the same number of days before them. */
const periodDays = 14;

/** The z-score of the 95 % interval. */
const zScore = 1.959964;

/** The share of dead links among the judged links; `share` is absent when no link was judged. */
export interface Share {
  from: string;
  to: string;
  judged: number;
  dead: number;
  inconclusive: number;
  share?: number;
  /** Bounds of the 95 % interval. */
  low: number;
  high: number;
}

export interface Estimate {
  now: Share;
  before: Share;
  /** `unclear` while the intervals overlap. */
  trend: "rising" | "falling" | "unclear";
}

/** Returns the first day whose samples are used by an estimate of this day. */
export function estimateStartDay(day: string): string {
  return daysBefore(day, 2 * periodDays - 1);
}

/** Estimates the share of dead links of a collection from its samples, now and in the period before. */
export function estimateDeadLinks(samples: LinkSample[], day: string): Estimate {
  const period = estimatePeriod(day);
  const now = estimateShare(samples, period);
  const before = estimateShare(samples, { from: estimateStartDay(day), to: dayBefore(period.from) });
  const trend = now.low > before.high ? "rising" : now.high < before.low ? "falling" : "unclear";
  return { now, before, trend };
}

/** The maximum number of weeks of a series, because samples are kept for 120 days. */
export const maxSeriesWeeks = 15;

/** Returns the first day whose samples are used by a series of this number of weeks. */
export function seriesStartDay(day: string, weeks: number): string {
  return daysBefore(day, 7 * (weeks - 1) + periodDays - 1);
}

/** Computes the share of dead links over time: one estimate per week, each over 14 days; oldest first. */
export function deadLinkSeries(samples: LinkSample[], day: string, weeks: number): Share[] {
  return Array.from({ length: weeks }, (_, index) => {
    const to = daysBefore(day, 7 * (weeks - 1 - index));
    return estimateShare(samples, { from: daysBefore(to, periodDays - 1), to });
  });
}

function estimateShare(samples: LinkSample[], { from, to }: { from: string; to: string }): Share {
  const within = samples.filter(({ day }) => from <= day && day <= to);
  const count = (wanted: Verdict) => within.filter(({ verdict }) => verdict === wanted).length;
  const dead = count("broken");
  return shareOf({ from, to, judged: dead + count("alive"), dead, inconclusive: count("inconclusive") });
}

/** Computes the share over all collections in one period. Each collection is weighted by the links drawn from it. */
export function shareOfAll(shares: Share[], period: Pick<Share, "from" | "to">): Share {
  const sum = (of: "judged" | "dead" | "inconclusive") =>
    shares.reduce((total, share) => total + share[of], 0);
  return shareOf({ ...period, judged: sum("judged"), dead: sum("dead"), inconclusive: sum("inconclusive") });
}

/** Returns the period that `now` covers in an estimate of this day. */
export function estimatePeriod(day: string): Pick<Share, "from" | "to"> {
  return { from: daysBefore(day, periodDays - 1), to: day };
}

function shareOf(counts: Pick<Share, "from" | "to" | "judged" | "dead" | "inconclusive">): Share {
  const { judged, dead } = counts;
  return { ...counts, ...(judged > 0 && { share: dead / judged }), ...wilsonInterval(dead, judged) };
}

/**
 * Computes the 95 % Wilson interval of a share. Unlike the normal interval, it is right for few samples, and for shares
 * of 0 and 1.
 * @see https://doi.org/10.1080/01621459.1927.10502953
 */
export function wilsonInterval(hits: number, total: number): { low: number; high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const share = hits / total;
  const denominator = 1 + zScore ** 2 / total;
  const centre = share + zScore ** 2 / (2 * total);
  const spread = zScore * Math.sqrt((share * (1 - share)) / total + zScore ** 2 / (4 * total ** 2));
  return {
    low: hits === 0 ? 0 : (centre - spread) / denominator,
    high: hits === total ? 1 : (centre + spread) / denominator,
  };
}
