import type { Clock } from "../../core/clock.ts";
import type { Rechecks } from "../check/rechecks.ts";
import { type Collection, collectionStatusRules, isExcludedFromChecks } from "../status/collection.ts";
import {
  type CollectionStatusPorts,
  type CollectionWithStatus,
  collectionStatusAccess,
} from "../status/collection-status.ts";
import { applyCheck, type LinkStatus } from "../status/link-status.ts";
import { type CheckResult, concludeSweep, type Sweep, type SweepStore } from "../status/stored-sweep.ts";
import { updateLinkStatus } from "../status/update-link-status.ts";
import { scheduleSweep } from "../sweep/sweep.ts";

export interface JudgeCollectionPorts extends CollectionStatusPorts {
  sweeps: SweepStore;
  rechecks: Rechecks;
  clock: Clock;
}

/**
 * Adds a result to its sweep. The last result updates the link status of the collection, unless the collection has been
 * excluded from checks meanwhile. If a sample of the sweep was not checked, the sweep changes the link status only when
 * another sample is alive; otherwise, the next sweep takes its place.
 */
export async function judgeCollection(
  { checkId, sweepId }: { checkId: string; sweepId: string },
  result: CheckResult,
  ports: JudgeCollectionPorts,
): Promise<void> {
  const sweep = await ports.sweeps.addResult(sweepId, checkId, result);
  const conclusion = sweep && concludeSweep(sweep);
  if (sweep === undefined || conclusion === undefined || conclusion.notCounted === "not-checked") return;
  const { collectionId, requestedAt, attempt } = sweep;
  const updater = {
    ...collectionStatusAccess(collectionId, ports),
    scheduleRecheck: ({ collection }: CollectionWithStatus, linkStatus: LinkStatus) =>
      scheduleRecheck(collection, { linkStatus, sweep }, ports),
  };
  await updateLinkStatus(sweepId, updater, (linkStatus, { collection }) => {
    if (isExcludedFromChecks(collection)) return undefined;
    const rules = { ...collectionStatusRules(collection), now: ports.clock.now() };
    return applyCheck(linkStatus, { checkId: sweepId, requestedAt, attempt, ...conclusion }, rules);
  });
}

/**
 * Schedules checks of the same links for the next attempt. Reading the current oldest and newest records instead would
 * cost two queries and show nothing that the sweeps in between do not find.
 */
async function scheduleRecheck(
  collection: Collection,
  { linkStatus, sweep }: { linkStatus: LinkStatus; sweep: Sweep },
  { sweeps, rechecks }: Pick<JudgeCollectionPorts, "sweeps" | "rechecks">,
): Promise<void> {
  const { failures, nextAttemptAt } = linkStatus;
  if (nextAttemptAt === undefined) return;
  const attempt = { requestedAt: nextAttemptAt, attempt: failures, links: sweep.samples };
  for (const request of await scheduleSweep(collection, attempt, sweeps)) {
    await rechecks.schedule(nextAttemptAt, request);
  }
}
