import type { Judgement, NotCounted, Verdict } from "../verdict/verdict.ts";

/** A record that a sweep checks, as of the start of the sweep. */
export interface SampledLink {
  recordId: string;
  url: string;
  isSuppressed: boolean;
}

export type CheckResult = Pick<Judgement, "verdict" | "reason" | "notCounted">;

/** One check of a collection: its samples and their results. */
export interface Sweep {
  sweepId: string;
  collectionId: string;
  /** ISO 8601 in UTC. */
  requestedAt: string;
  /** Its checks are not made afterwards. ISO 8601 in UTC; sweeps of earlier versions have none. */
  endsAt?: string;
  /** The number of failures of the collection before it. */
  attempt: number;
  samples: (SampledLink & { checkId: string })[];
  results: Record<string, CheckResult>;
}

/**
 * The result for the collection; undefined while one result is missing. One alive link makes the collection alive; it is
 * broken only when all links are. A link that we cannot judge because of our own limits, or because its host refuses us
 * or says nothing of the page, may be alive, so the collection is not judged. Nor is it when a sample was not checked in
 * time, or when no sample was requested because the host is unavailable: one outage must not count at each of several
 * sweeps.
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
  const notCounted = whyNotCounted(known);
  const what = verdict === "broken" ? "broken" : "broken or not judged";
  return {
    verdict,
    reason: `all ${samples.length} sampled links are ${what}: ${reasons}`,
    ...(notCounted && { notCounted }),
  };
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
  /**
   * Stores a sweep as the one that is open of its collection. A repetition yields the stored one.
   * @returns undefined when another sweep is open at its start, or a later one has started
   */
  open(sweep: Sweep): Promise<Sweep | undefined>;
  /** Stores a sweep unless its id is stored already. @returns the stored one */
  create(sweep: Sweep): Promise<Sweep>;
  /** Adds a result; the first of each check counts. @returns the sweep with all results; undefined when it is unknown */
  addResult(sweepId: string, checkId: string, result: CheckResult): Promise<Sweep | undefined>;
}
