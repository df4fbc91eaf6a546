import type { Clock } from "../../core/clock.ts";
import type { Rechecks, SweepStore } from "../../ports.ts";
import { type CheckResult, conclude, openSweep, type Sweep } from "../sweep/sweep.ts";
import { type Collection, collectionRules, isLeftAlone } from "./collection.ts";
import { type CollectionFatePorts, type CollectionWithFate, collectionFate } from "./collection-fate.ts";
import { advance, type Fate } from "./fate.ts";
import { moveFate } from "./move-fate.ts";

export interface JudgeCollectionPorts extends CollectionFatePorts {
  sweeps: SweepStore;
  rechecks: Rechecks;
  clock: Clock;
}

/** Adds a finding to its sweep; the one that completes it moves the collection's fate on, unless it is to be left alone. */
export async function judgeCollection(
  { checkId, sweepId }: { checkId: string; sweepId: string },
  { verdict, reason, isOurLimit }: CheckResult,
  ports: JudgeCollectionPorts,
): Promise<void> {
  const finding = { verdict, reason, ...(isOurLimit && { isOurLimit }) };
  const sweep = await ports.sweeps.gather(sweepId, checkId, finding);
  const conclusion = sweep && conclude(sweep);
  if (sweep === undefined || conclusion === undefined) return;
  const { collectionId, askedAt, attempt } = sweep;
  const keeper = {
    ...collectionFate(collectionId, ports),
    schedule: ({ collection }: CollectionWithFate, fate: Fate) =>
      scheduleNext(collection, { fate, sweep }, ports),
  };
  await moveFate(sweepId, keeper, (fate, { collection }) => {
    if (isLeftAlone(collection)) return undefined;
    const rules = { ...collectionRules(collection), now: ports.clock.now() };
    return advance(fate, { checkId: sweepId, askedAt, attempt, ...conclusion }, rules);
  });
}

/**
 * Has the links of a sweep checked again when the next attempt is due. To look up which they would be by now costs two
 * reads, and shows nothing that the sweeps in between do not see.
 */
async function scheduleNext(
  collection: Collection,
  { fate, sweep }: { fate: Fate; sweep: Sweep },
  { sweeps, rechecks }: Pick<JudgeCollectionPorts, "sweeps" | "rechecks">,
): Promise<void> {
  const { failures, nextAttemptAt } = fate;
  if (nextAttemptAt === undefined) return;
  const attempt = { askedAt: nextAttemptAt, attempt: failures, isNow: false, links: sweep.samples };
  for (const request of await openSweep(collection, attempt, sweeps)) {
    await rechecks.at(nextAttemptAt, request);
  }
}
