import type { Judgement } from "../check/verdict.ts";
import { sweepIntervalHours } from "../sweep/sweep-interval.ts";

const hourMs = 3_600_000;

/**
 * - `active`: shown
 * - `suppressed`: left out of searches, and checked again; it is there by its id
 * - `deleted`: given up. Nothing is erased, and an operator can restore it
 */
export type LinkStatusValue = "active" | "suppressed" | "deleted";

/** A change of status, as it is told. */
export interface StatusChange {
  status: LinkStatusValue;
  /** ISO 8601 in UTC. */
  since: string;
  /** The check that made it. */
  checkId: string;
  reason: string;
  nextAttemptAt?: string;
}

/** A change that is still to be told. */
export interface PendingNotification extends StatusChange {
  /** Its mail is refused for some address, and all others have had it: no other check than its own tells it again. */
  isRefused?: true;
}

/** Where a record, or a collection, stands by its checks. Without one it is active, and no check has said otherwise. */
export interface LinkStatus {
  status: LinkStatusValue;
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
  pendingNotifications?: PendingNotification[];
}

/** A check that has been judged. */
export interface JudgedCheck extends Pick<Judgement, "verdict" | "reason" | "isOurLimit"> {
  checkId: string;
  askedAt: string;
  /** The failures that it follows: 0 for a first look. Absent when a failure would prove nothing here, only a success. */
  attempt?: number | undefined;
}

export interface LinkStatusRules {
  /** The waits before the further attempts. After as many failures and one more it is deleted. */
  recheckDelaysMs: readonly number[];
  /**
   * So many checks in a row from which nothing was learned count as one failed attempt; absent: they never do. What our
   * own limits kept us from knowing ends the row.
   */
  inconclusiveLimit?: number | undefined;
}

/**
 * Decides what a check makes of a link status. A failure counts when it follows the failures that are known, and not before
 * the next attempt is due: so of an attempt made twice one counts, and none that is left of an earlier suppression. A
 * success counts always, unless it is out of date or all is over.
 * @returns undefined when it stays as it is: also when the check has been judged before
 */
export function applyCheck(
  linkStatus: LinkStatus | undefined,
  check: JudgedCheck,
  { now, ...rules }: LinkStatusRules & { now: Date },
): LinkStatus | undefined {
  if (linkStatus?.checkId === check.checkId) return undefined;
  if (linkStatus?.status === "deleted" || (linkStatus !== undefined && check.askedAt < linkStatus.asOf))
    return undefined;
  const failures = linkStatus?.failures ?? 0;
  const inconclusives = linkStatus?.inconclusives ?? 0;
  if (check.verdict === "alive") {
    if (failures === 0 && inconclusives === 0) return undefined;
    return changedStatus(linkStatus, check, { status: "active", failures: 0, inconclusives: 0, now });
  }
  if (check.attempt !== failures || check.askedAt < (linkStatus?.nextAttemptAt ?? "")) return undefined;
  const { recheckDelaysMs, inconclusiveLimit = Number.POSITIVE_INFINITY } = rules;
  const newInconclusives = check.isOurLimit ? 0 : inconclusives + 1;
  if (check.verdict === "inconclusive" && newInconclusives < inconclusiveLimit) {
    const countsNone = check.isOurLimit || inconclusiveLimit === Number.POSITIVE_INFINITY;
    if (failures === 0 && inconclusives === 0 && countsNone) return undefined;
    // An attempt that told nothing is made again after the same wait.
    const status = failures === 0 ? "active" : "suppressed";
    const waitMs = failures === 0 ? undefined : recheckDelayMs(failures, { recheckDelaysMs });
    return changedStatus(linkStatus, check, {
      status,
      failures,
      inconclusives: newInconclusives,
      now,
      waitMs,
    });
  }
  const waitMs = recheckDelaysMs[failures];
  const status = waitMs === undefined ? "deleted" : "suppressed";
  return changedStatus(linkStatus, check, { status, failures: failures + 1, inconclusives: 0, now, waitMs });
}

/** The wait before the attempt that follows so many failures; the last, if the ladder has become shorter. */
export function recheckDelayMs(
  failures: number,
  { recheckDelaysMs }: Pick<LinkStatusRules, "recheckDelaysMs">,
): number {
  return recheckDelaysMs[Math.min(failures, recheckDelaysMs.length) - 1] ?? 0;
}

/**
 * An attempt that is so late got lost on its way. A record's is asked for once more then, so it is given time to wait for
 * its host. Collections are looked at with each sweep anyway, and of two attempts at the same failure one counts: so
 * theirs is given the time between two sweeps.
 */
const lostAfterMs = { record: 24 * hourMs, collection: sweepIntervalHours * hourMs };

/** Attempts that were due before got lost. ISO 8601 in UTC. */
export function lostBefore(whose: keyof typeof lostAfterMs, at: Date): string {
  return new Date(at.getTime() - lostAfterMs[whose]).toISOString();
}

/**
 * As which attempt a check counts that nobody has scheduled: as the one that got lost, if one did, else as a first look.
 * What has failed and waits for no attempt has lost it, too.
 * @param lost as `lostBefore` gives it
 */
export function attemptNumber(linkStatus: LinkStatus | undefined, lost: string): number {
  return linkStatus !== undefined && (linkStatus.nextAttemptAt ?? "") < lost ? linkStatus.failures : 0;
}

/** The link status that an operator gives back to what was suppressed or deleted: checks asked for before are out of date. */
export function restoredStatus(now: Date): LinkStatus {
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

function changedStatus(
  linkStatus: LinkStatus | undefined,
  { checkId, askedAt, reason }: JudgedCheck,
  to: Pick<LinkStatus, "status" | "failures" | "inconclusives"> & { now: Date; waitMs?: number | undefined },
): LinkStatus {
  const { now, waitMs, ...state } = to;
  const at = now.toISOString();
  const isChange = (linkStatus?.status ?? "active") !== state.status;
  return {
    ...state,
    since: isChange || linkStatus === undefined ? at : linkStatus.since,
    // A check from a clock that is fast must not put all out of date that is asked until then.
    asOf: askedAt < at ? askedAt : at,
    checkId,
    reason,
    ...(waitMs !== undefined && { nextAttemptAt: new Date(now.getTime() + waitMs).toISOString() }),
  };
}
