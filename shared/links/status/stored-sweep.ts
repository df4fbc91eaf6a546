import type { Finding } from "../verdict/finding.ts";
import type { Judgement, NotCounted, Verdict } from "../verdict/verdict.ts";

/** A record that a sweep checks, as of the start of the sweep. */
export interface SampledLink {
  recordId: string;
  url: string;
  isSuppressed: boolean;
}

/** The result of a check, as a sweep keeps it for the mail about its collection. */
export interface CheckResult extends Pick<Judgement, "verdict" | "reason" | "notCounted"> {
  /** Absent in results that earlier versions stored. */
  finding?: Finding;
  /** The statuses and addresses of the redirects, in one line; absent without redirects. */
  hops?: string;
  /** The text of the page, in one line. */
  excerpt?: string;
}

/** The longest description of the hops of a link: an item of DynamoDB holds 400 KB, and a sweep has four links. */
const maxHopsLength = 1000;

/** Returns what a sweep keeps of a judgement. */
export function checkResultOf(judgement: Judgement): CheckResult {
  const { verdict, finding, reason, notCounted, hops, matchedText, excerpt = matchedText } = judgement;
  const trail = hops.map(({ status, url }) => `${status} ${url}`).join(" → ");
  return {
    verdict,
    finding,
    reason,
    ...(notCounted && { notCounted }),
    ...(hops.length > 1 && { hops: truncate(trail, maxHopsLength) }),
    ...(excerpt !== undefined && { excerpt: matchedText ?? excerpt }),
  };
}

function truncate(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** One check of a collection, with its samples and their results. */
export interface Sweep {
  sweepId: string;
  collectionId: string;
  /** ISO 8601 in UTC. */
  requestedAt: string;
  /**
   * The time after which its checks are no longer made. ISO 8601 in UTC; absent in sweeps that earlier versions stored.
   */
  endsAt?: string;
  /** The number of failures of the collection before the sweep. */
  attempt: number;
  samples: (SampledLink & { checkId: string })[];
  results: Record<string, CheckResult>;
}

/**
 * Returns the result for the collection, or undefined while the result of a sample is missing. One alive link makes the
 * collection alive; the collection is broken only when all links are broken. A link may be alive if we could not judge
 * it because of our own limits, because its host refuses us, or because the response says nothing about the page. The
 * sweep then does not count. It does not count either when a sample was not checked in time, or when no sample was
 * requested because the host is unavailable. Otherwise, one outage would count at each of several sweeps.
 */
export function concludeSweep({
  samples,
  results,
}: Pick<Sweep, "samples" | "results">): CheckResult | undefined {
  const known = samples.map(({ checkId }) => results[checkId]).filter((result) => result !== undefined);
  if (known.length < samples.length || samples.length === 0) return undefined;
  const count = (wanted: Verdict) => known.filter(({ verdict }) => verdict === wanted).length;
  const alive = count("alive");
  if (alive > 0) return { verdict: "alive", reason: `${alive} of ${samples.length} sampled links are alive` };
  const verdict = count("broken") === samples.length ? "broken" : "inconclusive";
  const reasons = [...new Set(known.map(({ reason }) => reason))].join("; ");
  if (verdict !== "broken" && known.every(isGoneOrLikely))
    return {
      verdict,
      ...{ finding: "gone-likely", notCounted: "no-evidence" },
      reason: `all ${samples.length} sampled links are broken or probably gone: ${reasons}`,
    };
  const notCounted = whyNotCounted(known);
  const what = verdict === "broken" ? "broken" : "broken or not judged";
  return {
    verdict,
    reason: `all ${samples.length} sampled links are ${what}: ${reasons}`,
    ...(notCounted && { notCounted }),
  };
}

function isGoneOrLikely({ verdict, finding }: CheckResult): boolean {
  return verdict === "broken" || finding === "gone-likely";
}

const notRequested: ReadonlySet<NotCounted> = new Set(["unavailable", "not-checked"]);

function whyNotCounted(results: CheckResult[]): NotCounted | undefined {
  const reasons = results.map(({ notCounted }) => notCounted);
  const mayBeAlive = reasons.find((reason) => reason !== undefined && !notRequested.has(reason));
  if (mayBeAlive !== undefined) return mayBeAlive;
  if (reasons.includes("not-checked")) return "not-checked";
  return reasons.every((reason) => reason === "unavailable") ? "unavailable" : undefined;
}

export interface SweepStore {
  get(sweepId: string): Promise<Sweep | undefined>;
  /** Reads the sweep of each of these collections that was opened last, by collection id. */
  latest(collectionIds: readonly string[]): Promise<Map<string, Sweep>>;
  /**
   * Stores a sweep as the open sweep of its collection. A repeated call returns the stored sweep.
   * @returns undefined when another sweep is open at the start of this one, or a later sweep has started
   */
  open(sweep: Sweep): Promise<Sweep | undefined>;
  /**
   * Stores a sweep unless its id is stored already.
   * @returns the stored sweep
   */
  create(sweep: Sweep): Promise<Sweep>;
  /**
   * Adds a result. Only the first result of each check counts.
   * @returns the sweep with all results; undefined when the sweep is unknown
   */
  addResult(sweepId: string, checkId: string, result: CheckResult): Promise<Sweep | undefined>;
}
