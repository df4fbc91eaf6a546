import { digest } from "../../core/digest.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import { checkEndsAt, draftCheck, type LinkCheck } from "../check/link-check.ts";
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
  /** Its checks are not made afterwards. ISO 8601 in UTC; sweeps of earlier versions have none. */
  endsAt?: string;
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

interface SweepStart {
  links: SampledLink[];
  /** When it starts. ISO 8601 in UTC. */
  requestedAt: string;
  /** The number of failures of the collection before it. */
  attempt: number;
}

/**
 * Starts a sweep and drafts the requests of its samples; none without links, or while another sweep of the collection is
 * open: otherwise, checks of a busy host would accumulate. A repetition yields the stored sweep, whatever was harvested meanwhile.
 * @param start.nextAttemptAt when the next attempt at the collection is due: the sweep ends before
 */
export async function openSweep(
  collection: Collection,
  { nextAttemptAt = "", ...start }: SweepStart & { nextAttemptAt?: string | undefined },
  sweeps: Pick<SweepStore, "open">,
): Promise<NewRequest[]> {
  if (start.links.length === 0) return [];
  const end = checkEndsAt(start.requestedAt);
  const isAttemptFirst = start.requestedAt < nextAttemptAt && nextAttemptAt < end;
  const sweep = await sweeps.open(newSweep(collection, start, isAttemptFirst ? nextAttemptAt : end));
  if (sweep === undefined) return [];
  return draftSweep(collection, sweep, ({ isSuppressed }) => ({
    known: { rule: collection.rule, isSuppressed },
  }));
}

/**
 * Stores the sweep of an attempt that is due later, and drafts its requests. The rule and the status may change before.
 */
export async function scheduleSweep(
  collection: Collection,
  start: SweepStart,
  sweeps: Pick<SweepStore, "create">,
): Promise<NewRequest[]> {
  if (start.links.length === 0) return [];
  const sweep = await sweeps.create(newSweep(collection, start, checkEndsAt(start.requestedAt)));
  return draftSweep(collection, sweep, () => ({}));
}

function newSweep(
  { collectionId }: Collection,
  { links, requestedAt, attempt }: SweepStart,
  endsAt: string,
): Sweep {
  const sweepId = sweepIdOf(collectionId, requestedAt);
  const samples = links.map((link) => ({ ...link, checkId: digest(sweepId, link.recordId) }));
  return { sweepId, collectionId, requestedAt, endsAt, attempt, samples, results: {} };
}

function draftSweep(
  collection: Collection,
  { sweepId, collectionId, requestedAt, endsAt, samples }: Sweep,
  knownOf: (sample: SampledLink) => Pick<LinkCheck, "known">,
): NewRequest[] {
  const purpose = { type: "collection" as const, sweepId };
  return samples.map((sample) => {
    const { checkId, recordId, url } = sample;
    const check = { checkId, recordId, collectionId, requestedAt, purpose, ...knownOf(sample) };
    return { ...draftCheck(url, check, collection), ...(endsAt !== undefined && { notAfter: endsAt }) };
  });
}

/** The id of the sweep of a collection that starts at this time. */
export function sweepIdOf(collectionId: string, requestedAt: string): string {
  return digest("sweep", collectionId, requestedAt);
}

/** Whether checks of a sweep may still be made. An attempt is not open before it is due. */
export function isOpen(sweep: Sweep, at: string): boolean {
  const { requestedAt, endsAt = checkEndsAt(requestedAt) } = sweep;
  return requestedAt <= at && at < endsAt && concludeSweep(sweep) === undefined;
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
