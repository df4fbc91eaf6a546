import { digest } from "../../core/digest.ts";
import type { LinkRecords, SweepStore } from "../../ports.ts";
import type { NewRequest } from "../../web/gate/request.ts";
import { draftCheck } from "../check/link-check.ts";
import type { Judgement, Verdict } from "../check/verdict.ts";
import type { Collection } from "../fate/collection.ts";
import type { LinkedRecord } from "../fate/linked-record.ts";

/** So many of the oldest records of a collection are checked, and as many of the newest. */
const samplesAtEachEnd = 2;

/** One of the records by which a collection is judged. */
export interface SweptLink {
  checkId: string;
  recordId: string;
  url: string;
  /** Whether the record was suppressed when the sweep was opened. */
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
  samples: SweptLink[];
  findings: Record<string, CheckResult>;
}

export interface SweepPorts {
  records: Pick<LinkRecords, "oldest" | "newest">;
  sweeps: Pick<SweepStore, "open">;
}

/**
 * Opens a check of a collection, and drafts the requests of its samples; none when it has no records. Opened again, it
 * is the same sweep, whatever was harvested meanwhile.
 * @param when.isNow whether it is asked for at once, so that what is known now still holds
 */
export async function openSweep(
  collection: Collection,
  { askedAt, attempt, isNow }: { askedAt: string; attempt: number; isNow: boolean },
  ports: SweepPorts,
): Promise<NewRequest[]> {
  const { collectionId } = collection;
  const [oldest, newest] = await Promise.all([
    ports.records.oldest(collectionId, samplesAtEachEnd),
    ports.records.newest(collectionId, samplesAtEachEnd),
  ]);
  const records = [...oldest, ...newest];
  if (records.length === 0) return [];
  const sweepId = digest("sweep", collectionId, askedAt);
  const { samples } = await ports.sweeps.open({
    sweepId,
    collectionId,
    askedAt,
    attempt,
    samples: samplesOf(records, sweepId),
    findings: {},
  });
  return samples.map(({ checkId, recordId, url, isSuppressed }) => {
    const purpose = { type: "collection" as const, sweepId };
    const known = isNow ? { known: { rule: collection.rule, isSuppressed } } : {};
    return draftCheck(url, { checkId, recordId, collectionId, askedAt, purpose, ...known }, collection);
  });
}

/** A small collection's oldest records are its newest too. */
function samplesOf(records: LinkedRecord[], sweepId: string): SweptLink[] {
  const byId = new Map(records.map((record) => [record.recordId, record]));
  return [...byId.values()].map(({ recordId, landingUrl, link }) => ({
    checkId: digest(sweepId, recordId),
    recordId,
    url: landingUrl,
    isSuppressed: link?.status === "suppressed",
  }));
}

/**
 * What all findings together say of the collection; undefined as long as one is missing. One link that is alive proves
 * that the collection is; that it is broken, only all of them prove. One that our own limits keep us from judging may be
 * alive, and so leaves the collection unjudged.
 */
export function conclude({
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
