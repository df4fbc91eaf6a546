import { digest } from "../../core/digest.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import { draftCheck } from "../check/link-check.ts";
import type { Judgement, Verdict } from "../check/verdict.ts";
import type { Collection } from "../status/collection.ts";
import type { LinkRecords } from "../status/link-records.ts";

/** So many of the oldest records of a collection are checked, and as many of the newest. */
const samplesAtEachEnd = 2;

/** One of the records by which a collection is judged, as it was when it was looked up. */
export interface SampledLink {
  recordId: string;
  url: string;
  isSuppressed: boolean;
}

export type CheckResult = Pick<Judgement, "verdict" | "reason" | "isOurLimit">;

/** One check of a collection: its samples, and what is known of them, by check. */
export interface Sweep {
  sweepId: string;
  collectionId: string;
  /** ISO 8601 in UTC. */
  askedAt: string;
  /** The failures of the collection that it follows. */
  attempt: number;
  samples: (SampledLink & { checkId: string })[];
  findings: Record<string, CheckResult>;
}

/** The oldest and newest records of a collection, each once: a small one's oldest are its newest too. */
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
 * Opens a check of a collection, and drafts the requests of its samples; none when there are no links. Opened again, it
 * is the same sweep, whatever was harvested meanwhile.
 * @param sweep.isNow whether it is asked for at once, so that what is known now still holds
 */
export async function openSweep(
  collection: Collection,
  {
    links,
    askedAt,
    attempt,
    isNow,
  }: { links: SampledLink[]; askedAt: string; attempt: number; isNow: boolean },
  sweeps: Pick<SweepStore, "create">,
): Promise<NewRequest[]> {
  if (links.length === 0) return [];
  const { collectionId } = collection;
  const sweepId = digest("sweep", collectionId, askedAt);
  const { samples } = await sweeps.create({
    sweepId,
    collectionId,
    askedAt,
    attempt,
    samples: links.map((link) => ({ ...link, checkId: digest(sweepId, link.recordId) })),
    findings: {},
  });
  return samples.map(({ checkId, recordId, url, isSuppressed }) => {
    const purpose = { type: "collection" as const, sweepId };
    const known = isNow ? { known: { rule: collection.rule, isSuppressed } } : {};
    return draftCheck(url, { checkId, recordId, collectionId, askedAt, purpose, ...known }, collection);
  });
}

/**
 * What all findings together say of the collection; undefined as long as one is missing. One link that is alive proves
 * that the collection is; that it is broken, only all of them prove. One that our own limits keep us from judging may be
 * alive, and so leaves the collection unjudged.
 */
export function concludeSweep({
  samples,
  findings,
}: Pick<Sweep, "samples" | "findings">): CheckResult | undefined {
  const known = samples.map(({ checkId }) => findings[checkId]).filter((finding) => finding !== undefined);
  if (known.length < samples.length || samples.length === 0) return undefined;
  const count = (wanted: Verdict) => known.filter(({ verdict }) => verdict === wanted).length;
  const alive = count("alive");
  if (alive > 0) return { verdict: "alive", reason: `${alive} of ${samples.length} sampled links are alive` };
  const verdict = count("broken") === samples.length ? "broken" : "inconclusive";
  const reasons = [...new Set(known.map(({ reason }) => reason))].join("; ");
  const what = verdict === "broken" ? "broken" : "broken, or could not be judged";
  return {
    verdict,
    reason: `all ${samples.length} sampled links are ${what}: ${reasons}`,
    ...(known.some(({ isOurLimit }) => isOurLimit) && { isOurLimit: true }),
  };
}

export interface SweepStore {
  /** Keeps a sweep unless it is known, and gives the one that is kept. */
  create(sweep: Sweep): Promise<Sweep>;
  /** Adds a result, the first of each check, and gives the sweep with all that are known; nothing for an unknown one. */
  addResult(sweepId: string, checkId: string, result: CheckResult): Promise<Sweep | undefined>;
}
