import { digest } from "../../core/digest.ts";
import type { NewRequest } from "../../web/request/request.ts";
import { checkEndsAt, draftCheck, type LinkCheck } from "../check/link-check.ts";
import type { Collection } from "../status/collection.ts";
import type { LinkRecords } from "../status/link-records.ts";
import { concludeSweep, type SampledLink, type Sweep, type SweepStore } from "../status/stored-sweep.ts";

/** The number of the oldest records of a collection that a sweep checks; it checks the same number of the newest. */
const samplesAtEachEnd = 2;

/**
 * Returns the oldest and newest records of a collection, each once. Of records with the same URL, only one is returned: a
 * suppressed one if there is one, because a success restores it.
 */
export async function sampleOldestAndNewest(
  collectionId: string,
  records: Pick<LinkRecords, "oldest" | "newest">,
): Promise<SampledLink[]> {
  const [oldest, newest] = await Promise.all([
    records.oldest(collectionId, samplesAtEachEnd),
    records.newest(collectionId, samplesAtEachEnd),
  ]);
  const byUrl = new Map<string, SampledLink>();
  for (const { recordId, landingUrl: url, link } of [...oldest, ...newest]) {
    const isSuppressed = link?.status === "suppressed";
    if (!byUrl.has(url) || isSuppressed) byUrl.set(url, { recordId, url, isSuppressed });
  }
  return [...byUrl.values()];
}

interface SweepStart {
  links: SampledLink[];
  /** The start of the sweep. ISO 8601 in UTC. */
  requestedAt: string;
  /** The number of failures of the collection before the sweep. */
  attempt: number;
}

/**
 * Starts a sweep and drafts the requests of its samples. Drafts none when the collection has no links, or while another
 * sweep of the collection is open: otherwise, checks of a busy host would accumulate. A repetition returns the stored
 * sweep, even if records have been harvested meanwhile.
 * @param start.nextAttemptAt when the next attempt at the collection is due; the sweep ends before this time
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
 * Stores the sweep of an attempt that is due later, and drafts its requests. The rule and the status may change until
 * then.
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

/** Returns the id of the sweep of a collection that starts at this time. */
export function sweepIdOf(collectionId: string, requestedAt: string): string {
  return digest("sweep", collectionId, requestedAt);
}

/** Returns the samples whose results are missing. */
export function openSamples({ samples, results }: Pick<Sweep, "samples" | "results">): SampledLink[] {
  return samples.filter(({ checkId }) => results[checkId] === undefined);
}

/** Returns whether checks of a sweep may still be made. The sweep of a later attempt is not open before it is due. */
export function isOpen(sweep: Sweep, at: string): boolean {
  const { requestedAt, endsAt = checkEndsAt(requestedAt) } = sweep;
  return requestedAt <= at && at < endsAt && concludeSweep(sweep) === undefined;
}
