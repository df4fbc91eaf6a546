import type { Clock } from "../../core/clock.ts";
import type { Rechecks } from "../check/rechecks.ts";
import { type Collection, collectionStatusRules, isExcludedFromChecks } from "../status/collection.ts";
import {
  type CollectionStatusPorts,
  type CollectionWithStatus,
  collectionStatusAccess,
} from "../status/collection-status.ts";
import { applyCheck, type LinkStatus } from "../status/link-status.ts";
import { updateLinkStatus } from "../status/update-link-status.ts";
import { type CheckResult, concludeSweep, openSweep, type Sweep, type SweepStore } from "../sweep/sweep.ts";

export interface JudgeCollectionPorts extends CollectionStatusPorts {
  sweeps: SweepStore;
  rechecks: Rechecks;
  clock: Clock;
}

/** Adds a finding to its sweep; the one that completes it moves the collection's link status on, unless it is to be left alone. */
export async function judgeCollection(
  { checkId, sweepId }: { checkId: string; sweepId: string },
  { verdict, reason, isOurLimit }: CheckResult,
  ports: JudgeCollectionPorts,
): Promise<void> {
  const finding = { verdict, reason, ...(isOurLimit && { isOurLimit }) };
  const sweep = await ports.sweeps.addResult(sweepId, checkId, finding);
  const conclusion = sweep && concludeSweep(sweep);
  if (sweep === undefined || conclusion === undefined) return;
  const { collectionId, askedAt, attempt } = sweep;
  const updater = {
    ...collectionStatusAccess(collectionId, ports),
    scheduleRecheck: ({ collection }: CollectionWithStatus, linkStatus: LinkStatus) =>
      scheduleRecheck(collection, { linkStatus, sweep }, ports),
  };
  await updateLinkStatus(sweepId, updater, (linkStatus, { collection }) => {
    if (isExcludedFromChecks(collection)) return undefined;
    const rules = { ...collectionStatusRules(collection), now: ports.clock.now() };
    return applyCheck(linkStatus, { checkId: sweepId, askedAt, attempt, ...conclusion }, rules);
  });
}

/**
 * Has the links of a sweep checked again when the next attempt is due. To look up which they would be by now costs two
 * reads, and shows nothing that the sweeps in between do not see.
 */
async function scheduleRecheck(
  collection: Collection,
  { linkStatus, sweep }: { linkStatus: LinkStatus; sweep: Sweep },
  { sweeps, rechecks }: Pick<JudgeCollectionPorts, "sweeps" | "rechecks">,
): Promise<void> {
  const { failures, nextAttemptAt } = linkStatus;
  if (nextAttemptAt === undefined) return;
  const attempt = { askedAt: nextAttemptAt, attempt: failures, isNow: false, links: sweep.samples };
  for (const request of await openSweep(collection, attempt, sweeps)) {
    await rechecks.schedule(nextAttemptAt, request);
  }
}
