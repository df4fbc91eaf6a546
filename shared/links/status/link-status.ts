import type { Finding } from "../verdict/finding.ts";
import type { Judgement } from "../verdict/verdict.ts";
import { sweepIntervalHours } from "./sweep-interval.ts";

const hourMs = 3_600_000;

/**
 * - `active`: found by searches
 * - `suppressed`: left out of searches and checked again; available by its id
 * - `deleted`: no longer checked. Nothing is erased, and an operator can restore it
 */
export type LinkStatusValue = "active" | "suppressed" | "deleted";

/** A change of status. */
export interface StatusChange {
  status: LinkStatusValue;
  /** ISO 8601 in UTC. */
  since: string;
  /** The check that caused the change. */
  checkId: string;
  reason: string;
  nextAttemptAt?: string;
}

/** A change of status for which not all notifications have been sent. */
export interface PendingNotification extends StatusChange {
  /**
   * Set when an address refuses the mail and all other addresses have got it. The mail is then sent again only when the
   * check that caused the change is repeated.
   */
  isRefused?: true;
}

/** The link status of a record or collection. Without one, the subject is active and no check has failed. */
export interface LinkStatus {
  status: LinkStatusValue;
  /** The number of failed attempts in a row. It is 0 if and only if the status is `active`. */
  failures: number;
  /** The number of inconclusive checks in a row. Checks that do not count are not included. */
  inconclusives: number;
  /** The last time that `status` changed. ISO 8601 in UTC, like all times here. */
  since: string;
  /** The last check that counted, and when it was requested. Checks that were requested earlier are out of date. */
  checkId: string;
  asOf: string;
  reason: string;
  /** When the next attempt is due; absent when no attempt is scheduled. */
  nextAttemptAt?: string;
  /** The first of the checks in a row that found the page probably gone; absent when the last one did not. */
  goneLikelySince?: string;
  /** The pending notifications, oldest first; absent when there are none. */
  pendingNotifications?: PendingNotification[];
}

/** A check that has been judged. */
interface JudgedCheck extends Pick<Judgement, "verdict" | "reason" | "notCounted"> {
  finding?: Finding | undefined;
  checkId: string;
  requestedAt: string;
  /** The number of failures before the check. Absent for a check of which only a success counts. */
  attempt?: number | undefined;
}

export interface LinkStatusRules {
  /**
   * The waits before further attempts after a failed attempt. When the last attempt also fails, the status becomes
   * `deleted`.
   */
  recheckDelaysMs: readonly number[];
  /**
   * The number of inconclusive checks in a row that count as one failed attempt. If absent, such checks never count as
   * a failure. A check that does not count ends the row, unless no request was made to the host.
   */
  inconclusiveLimit?: number | undefined;
}

/**
 * Returns the link status after a check. A failure counts only if its attempt is the one that is due. Therefore a
 * repeated attempt counts once, and an attempt that belongs to an earlier suppression does not count. A success counts
 * unless it is out of date or the status is `deleted`. A page that is probably gone counts as a failure when it is found
 * so again a day later.
 * @returns undefined when the link status does not change, for example because the check has already been applied
 */
export function applyCheck(
  linkStatus: LinkStatus | undefined,
  check: JudgedCheck,
  { now, ...rules }: LinkStatusRules & { now: Date },
): LinkStatus | undefined {
  if (linkStatus?.checkId === check.checkId) return undefined;
  if (linkStatus?.status === "deleted" || (linkStatus !== undefined && check.requestedAt < linkStatus.asOf))
    return undefined;
  const failures = linkStatus?.failures ?? 0;
  const inconclusives = linkStatus?.inconclusives ?? 0;
  if (check.verdict === "alive") {
    if (failures === 0 && inconclusives === 0 && linkStatus?.goneLikelySince === undefined) return undefined;
    return changedStatus(linkStatus, check, { status: "active", failures: 0, inconclusives: 0, now });
  }
  // A page that is probably gone waits for its second check without having failed; 404 does not wait for it.
  const isEarly = check.requestedAt < (linkStatus?.nextAttemptAt ?? "");
  const isSuspected = check.finding === "gone-likely";
  if (check.attempt !== failures || (isEarly && (failures > 0 || isSuspected))) return undefined;
  if (isSuspected && !isConfirmed(check, linkStatus)) {
    const goneLikelySince = linkStatus?.goneLikelySince ?? check.requestedAt;
    const to = { status: failures === 0 ? "active" : "suppressed", failures, inconclusives, now } as const;
    return { ...changedStatus(linkStatus, check, { ...to, waitMs: confirmedAfterMs }), goneLikelySince };
  }
  const { recheckDelaysMs, inconclusiveLimit = Number.POSITIVE_INFINITY } = rules;
  const newInconclusives = inconclusivesAfter(check, inconclusives);
  const isCounted = check.notCounted === undefined;
  if (
    check.verdict === "inconclusive" &&
    !isSuspected &&
    !(isCounted && newInconclusives >= inconclusiveLimit)
  ) {
    const isSameRow = inconclusives === newInconclusives || inconclusiveLimit === Number.POSITIVE_INFINITY;
    if (failures === 0 && isSameRow && linkStatus?.goneLikelySince === undefined) return undefined;
    // An inconclusive attempt is repeated after the same delay.
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

/** The time after which a page that was probably gone, and still is, counts as broken. */
const confirmedAfterMs = 24 * hourMs;

function isConfirmed({ requestedAt }: JudgedCheck, linkStatus: LinkStatus | undefined): boolean {
  const since = linkStatus?.goneLikelySince;
  return since !== undefined && Date.parse(requestedAt) - Date.parse(since) >= confirmedAfterMs;
}

function inconclusivesAfter({ notCounted }: JudgedCheck, before: number): number {
  if (notCounted === undefined) return before + 1;
  return notCounted === "unavailable" || notCounted === "not-checked" ? before : 0;
}

/**
 * Returns the wait before the attempt that follows this number of failures. The last delay is used when the list of
 * delays has been shortened meanwhile.
 */
export function recheckDelayMs(
  failures: number,
  { recheckDelaysMs }: Pick<LinkStatusRules, "recheckDelaysMs">,
): number {
  return recheckDelaysMs[Math.min(failures, recheckDelaysMs.length) - 1] ?? 0;
}

/**
 * The delay after which an attempt counts as lost. A record's attempt may wait 24 hours for its host, because a lost
 * attempt of a record is requested again. A collection's attempt may wait only until the next sweep. This is safe,
 * because sweeps check collections anyway, and of two attempts after the same failure only one counts.
 */
const lostAfterMs = { record: 24 * hourMs, collection: sweepIntervalHours * hourMs };

/** Returns the time before which a missed attempt counts as lost. ISO 8601 in UTC. */
export function lostBefore(subject: keyof typeof lostAfterMs, at: Date): string {
  return new Date(at.getTime() - lostAfterMs[subject]).toISOString();
}

/**
 * Returns the number of the attempt that an unscheduled check counts as: that of the lost attempt if there is one,
 * otherwise 0. A failed subject without a next attempt has also lost its attempt.
 * @param lost the result of `lostBefore`
 */
export function attemptNumber(linkStatus: LinkStatus | undefined, lost: string): number {
  return linkStatus !== undefined && (linkStatus.nextAttemptAt ?? "") < lost ? linkStatus.failures : 0;
}

/** Returns the link status after an operator's restore. Checks that were requested earlier are then out of date. */
export function restoredStatus(now: Date, reason = "restored by an operator"): LinkStatus {
  const at = now.toISOString();
  return {
    status: "active",
    failures: 0,
    inconclusives: 0,
    since: at,
    asOf: at,
    checkId: `restored-${at}`,
    reason,
  };
}

function changedStatus(
  linkStatus: LinkStatus | undefined,
  { checkId, requestedAt, reason }: JudgedCheck,
  to: Pick<LinkStatus, "status" | "failures" | "inconclusives"> & { now: Date; waitMs?: number | undefined },
): LinkStatus {
  const { now, waitMs, ...state } = to;
  const at = now.toISOString();
  const isChange = (linkStatus?.status ?? "active") !== state.status;
  return {
    ...state,
    since: isChange || linkStatus === undefined ? at : linkStatus.since,
    // The earlier time is used, because a check with a time in the future would make the next checks out of date.
    asOf: requestedAt < at ? requestedAt : at,
    checkId,
    reason,
    ...(waitMs !== undefined && { nextAttemptAt: new Date(now.getTime() + waitMs).toISOString() }),
  };
}
