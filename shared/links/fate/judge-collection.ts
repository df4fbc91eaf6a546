import type { Clock } from "../../core/clock.ts";
import type { Rechecks, SweepStore } from "../../ports.ts";
import { type CheckResult, conclude, openSweep, type SweepPorts } from "../sweep/sweep.ts";
import { collectionRules, isLeftAlone } from "./collection.ts";
import { type CollectionFatePorts, type CollectionWithFate, collectionFate } from "./collection-fate.ts";
import { advance, type Fate } from "./fate.ts";
import { moveFate } from "./move-fate.ts";

export interface JudgeCollectionPorts extends CollectionFatePorts {
  sweeps: SweepStore;
  records: SweepPorts["records"];
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
    schedule: (of: CollectionWithFate, fate: Fate) => scheduleNext(of, fate, ports),
  };
  await moveFate(sweepId, keeper, (fate, { collection }) => {
    if (isLeftAlone(collection)) return undefined;
    const rules = { ...collectionRules(collection), now: ports.clock.now() };
    return advance(fate, { checkId: sweepId, askedAt, attempt, ...conclusion }, rules);
  });
}

async function scheduleNext(
  { collection }: CollectionWithFate,
  { failures, nextAttemptAt }: Fate,
  ports: JudgeCollectionPorts,
): Promise<void> {
  if (nextAttemptAt === undefined) return;
  const attempt = { askedAt: nextAttemptAt, attempt: failures, isNow: false };
  const requests = await openSweep(collection, attempt, ports);
  for (const request of requests) await ports.rechecks.at(nextAttemptAt, request);
}
