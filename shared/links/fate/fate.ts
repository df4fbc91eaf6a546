import type { Judgement } from "../check/verdict.ts";
import { sweepIntervalHours } from "../sweep/sweep.ts";

const hourMs = 3_600_000;

/**
 * - `active`: shown
 * - `suppressed`: left out of searches, and checked again; it is there by its id
 * - `deleted`: given up. Nothing is erased, and an operator can restore it
 */
export type FateStatus = "active" | "suppressed" | "deleted";

/** A change of status, as it is told. */
export interface StatusChange {
  status: FateStatus;
  /** ISO 8601 in UTC. */
  since: string;
  /** The check that made it. */
  checkId: string;
  reason: string;
  nextAttemptAt?: string;
}

/** A change that is still to be told. */
export interface UntoldChange extends StatusChange {
  /** Its mail is refused for some address, and all others have had it: no other check than its own tells it again. */
  isRefused?: true;
}

/** Where a record, or a collection, stands by its checks. Without one it is active, and no check has said otherwise. */
export interface Fate {
  status: FateStatus;
  /** Failed attempts in a row; 0 exactly when it is active. */
  failures: number;
  /** Checks in a row from which nothing was learned, the hosts being to blame. */
  inconclusives: number;
  /** When it got its status. ISO 8601 in UTC, as all times are. */
  since: string;
  /** The check that counted last, and when it was asked for: what was asked for earlier is out of date. */
  checkId: string;
  asOf: string;
  reason: string;
  /** When the next attempt is due; absent when there is none. */
  nextAttemptAt?: string;
  /** Changes of its status, oldest first; absent when there are none. */
  untold?: UntoldChange[];
}

/** A check that has been judged. */
export interface Check extends Pick<Judgement, "verdict" | "reason" | "isOurLimit"> {
  checkId: string;
  askedAt: string;
  /** The failures that it follows: 0 for a first look. Absent when a failure would prove nothing here, only a success. */
  attempt?: number | undefined;
}

export interface FateRules {
  /** The waits before the further attempts. After as many failures and one more it is deleted. */
  ladderMs: readonly number[];
  /**
   * So many checks in a row from which nothing was learned count as one failed attempt; absent: they never do. What our
   * own limits kept us from knowing ends the row.
   */
  inconclusiveLimit?: number | undefined;
}

/**
 * Decides what a check makes of a fate. A failure counts when it follows the failures that are known, and not before
 * the next attempt is due: so of an attempt made twice one counts, and none that is left of an earlier suppression. A
 * success counts always, unless it is out of date or all is over.
 * @returns undefined when it stays as it is: also when the check has been judged before
 */
export function advance(
  fate: Fate | undefined,
  check: Check,
  { now, ...rules }: FateRules & { now: Date },
): Fate | undefined {
  if (fate?.checkId === check.checkId) return undefined;
  if (fate?.status === "deleted" || (fate !== undefined && check.askedAt < fate.asOf)) return undefined;
  const failures = fate?.failures ?? 0;
  const inconclusives = fate?.inconclusives ?? 0;
  if (check.verdict === "alive") {
    if (failures === 0 && inconclusives === 0) return undefined;
    return moved(fate, check, { status: "active", failures: 0, inconclusives: 0, now });
  }
  if (check.attempt !== failures || check.askedAt < (fate?.nextAttemptAt ?? "")) return undefined;
  const { ladderMs, inconclusiveLimit = Number.POSITIVE_INFINITY } = rules;
  const counted = check.isOurLimit ? 0 : inconclusives + 1;
  if (check.verdict === "inconclusive" && counted < inconclusiveLimit) {
    const countsNone = check.isOurLimit || inconclusiveLimit === Number.POSITIVE_INFINITY;
    if (failures === 0 && inconclusives === 0 && countsNone) return undefined;
    // An attempt that told nothing is made again after the same wait.
    const status = failures === 0 ? "active" : "suppressed";
    const waitMs = failures === 0 ? undefined : waitBefore(failures, { ladderMs });
    return moved(fate, check, { status, failures, inconclusives: counted, now, waitMs });
  }
  const waitMs = ladderMs[failures];
  const status = waitMs === undefined ? "deleted" : "suppressed";
  return moved(fate, check, { status, failures: failures + 1, inconclusives: 0, now, waitMs });
}

/** The wait before the attempt that follows so many failures; the last, if the ladder has become shorter. */
export function waitBefore(failures: number, { ladderMs }: Pick<FateRules, "ladderMs">): number {
  return ladderMs[Math.min(failures, ladderMs.length) - 1] ?? 0;
}

/**
 * An attempt that is so late got lost on its way. A record's is asked for once more then, so it is given time to wait for
 * its host. Collections are looked at with each sweep anyway, and of two attempts at the same failure one counts: so
 * theirs is given the time between two sweeps.
 */
const overdueMs = { record: 24 * hourMs, collection: sweepIntervalHours * hourMs };

/** Attempts that were due before got lost. ISO 8601 in UTC. */
export function lostBefore(whose: keyof typeof overdueMs, at: Date): string {
  return new Date(at.getTime() - overdueMs[whose]).toISOString();
}

/**
 * As which attempt a check counts that nobody has scheduled: as the one that got lost, if one did, else as a first look.
 * What has failed and waits for no attempt has lost it, too.
 * @param lost as `lostBefore` gives it
 */
export function attemptAt(fate: Fate | undefined, lost: string): number {
  return fate !== undefined && (fate.nextAttemptAt ?? "") < lost ? fate.failures : 0;
}

/** The fate that an operator gives back to what was suppressed or deleted: checks asked for before are out of date. */
export function restored(now: Date): Fate {
  const at = now.toISOString();
  return {
    status: "active",
    failures: 0,
    inconclusives: 0,
    since: at,
    asOf: at,
    checkId: `restored-${at}`,
    reason: "restored by an operator",
  };
}

function moved(
  fate: Fate | undefined,
  { checkId, askedAt, reason }: Check,
  to: Pick<Fate, "status" | "failures" | "inconclusives"> & { now: Date; waitMs?: number | undefined },
): Fate {
  const { now, waitMs, ...state } = to;
  const at = now.toISOString();
  const isChange = (fate?.status ?? "active") !== state.status;
  return {
    ...state,
    since: isChange || fate === undefined ? at : fate.since,
    // A check from a clock that is fast must not put all out of date that is asked until then.
    asOf: askedAt < at ? askedAt : at,
    checkId,
    reason,
    ...(waitMs !== undefined && { nextAttemptAt: new Date(now.getTime() + waitMs).toISOString() }),
  };
}
