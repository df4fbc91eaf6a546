import type { Clock } from "../../core/clock.ts";
import { ThrottledError } from "../../core/errors.ts";
import type { SourceDrifts } from "./drift.ts";
import type { QualityStore } from "./quality-store.ts";

/** What an operator decides on a drift. `accept`: the lower share is normal from now on. `reopen`: it is not. */
export const driftDecisions = ["accept", "reopen"] as const;
export type DriftDecision = (typeof driftDecisions)[number];

/**
 * Decides on a drift. A repeated decision changes nothing.
 * @returns `gone`: the field has recovered, or has a later drift
 */
function decideDrift(
  known: SourceDrifts,
  driftId: string,
  { decision, at, by }: { decision: DriftDecision; at: string; by: string },
): SourceDrifts | "unchanged" | "gone" {
  const drift = known.drifts.find((each) => each.driftId === driftId);
  const last = known.drifts.findLast(({ field }) => field === drift?.field);
  if (drift === undefined || drift !== last || drift.recovered !== undefined) return "gone";
  if ((decision === "accept") === (drift.accepted !== undefined)) return "unchanged";
  const { accepted: _accepted, ...reopened } = drift;
  const decided = decision === "accept" ? { ...drift, accepted: { at, by } } : reopened;
  const drifts = known.drifts.map((each) => (each === drift ? decided : each));
  return { ...known, drifts, revision: known.revision + 1 };
}

/** The number of attempts at a decision while runs and other operators change the drifts. */
const maxTries = 5;
const retryAfterMs = 1_000;

/**
 * Stores a decision on a drift of a source.
 * @returns `false` when the drift does not exist, has recovered, or has been followed by a later one
 * @throws ThrottledError when runs or other operators keep changing the drifts
 */
export async function decideStoredDrift(
  sourceId: string,
  { driftId, decision, by }: { driftId: string; decision: DriftDecision; by: string },
  { quality, clock }: { quality: Pick<QualityStore, "drifts" | "saveDrifts">; clock: Pick<Clock, "now"> },
): Promise<boolean> {
  const now = clock.now();
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const known = await quality.drifts(sourceId);
    if (known === undefined) return false;
    const decided = decideDrift(known, driftId, { decision, at: now.toISOString(), by });
    if (typeof decided === "string") return decided === "unchanged";
    if (await quality.saveDrifts(decided)) return true;
  }
  throw new ThrottledError(
    `the drifts of source ${sourceId} are being changed: try again`,
    new Date(now.getTime() + retryAfterMs),
  );
}
