import { digest } from "../../core/digest.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import { draftCheck } from "../check/link-check.ts";
import type { Judgement, NotCounted, Verdict } from "../check/verdict.ts";
import type { Collection } from "../status/collection.ts";
import type { LinkRecords } from "../status/link-records.ts";

/** A sweep checks this many of the oldest records of a collection, and as many of the newest. */
const samplesAtEachEnd = 2;

/** A record that a sweep checks, as of the start of the sweep. */
interface SampledLink {
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
  /** The number of failures of the collection before it. */
  attempt: number;
  samples: (SampledLink & { checkId: string })[];
  results: Record<string, CheckResult>;
}

/** The oldest and newest records of a collection, each once. */
export async function sampleOldestAndNewest(
  collectionId: string,
  records: Pick<LinkRecords, "oldest" | "newest">,
): Promise<SampledLink[]> {
  const [oldest, newest] = await Promise.all([
    records.oldest(collectionId, samplesAtEachEnd),
    records.newest(collectionId, samplesAtEachEnd),
  ]);
  const byId = new Map([...oldest, ...newest].map((record) => [record.recordId, record]));
  return [...byId.values()].map(({ recordId, landingUrl, link }) => ({
    recordId,
    url: landingUrl,
    isSuppressed: link?.status === "suppressed",
  }));
}

/**
 * Stores a sweep, and drafts the requests of its samples; none without links. A repetition yields the stored sweep, whatever
 * was harvested meanwhile.
 * @param sweep.isNow whether the requests are sent at once, so that the rule and the status do not change before
 */
export async function openSweep(
  collection: Collection,
  {
    links,
    requestedAt,
    attempt,
    isNow,
  }: { links: SampledLink[]; requestedAt: string; attempt: number; isNow: boolean },
  sweeps: Pick<SweepStore, "create">,
): Promise<NewRequest[]> {
  if (links.length === 0) return [];
  const { collectionId } = collection;
  const sweepId = digest("sweep", collectionId, requestedAt);
  const { samples } = await sweeps.create({
    sweepId,
    collectionId,
    requestedAt,
    attempt,
    samples: links.map((link) => ({ ...link, checkId: digest(sweepId, link.recordId) })),
    results: {},
  });
  return samples.map(({ checkId, recordId, url, isSuppressed }) => {
    const purpose = { type: "collection" as const, sweepId };
    const known = isNow ? { known: { rule: collection.rule, isSuppressed } } : {};
    return draftCheck(url, { checkId, recordId, collectionId, requestedAt, purpose, ...known }, collection);
  });
}

/**
 * The result for the collection; undefined while one result is missing. One alive link makes the collection alive; it is
 * broken only when all links are. A link that we cannot judge because of our own limits, or because its host refuses us
 * or says nothing of the page, may be alive, so the collection is not judged. Nor is it when no sample was requested because the host is unavailable:
 * one outage must not count at each of several sweeps.
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

function whyNotCounted(results: CheckResult[]): NotCounted | undefined {
  const reasons = results.map(({ notCounted }) => notCounted);
  const mayBeAlive = reasons.find((reason) => reason !== undefined && reason !== "unavailable");
  return mayBeAlive ?? (reasons.every((reason) => reason === "unavailable") ? "unavailable" : undefined);
}

export interface SweepStore {
  /** Stores a sweep unless its id is stored already. @returns the stored one */
  create(sweep: Sweep): Promise<Sweep>;
  /** Adds a result; the first of each check counts. @returns the sweep with all results; undefined when it is unknown */
  addResult(sweepId: string, checkId: string, result: CheckResult): Promise<Sweep | undefined>;
}
