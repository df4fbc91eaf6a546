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
  /** The check that caused it. */
  checkId: string;
  reason: string;
  nextAttemptAt?: string;
}

/** A change of which not all have been notified. */
export interface PendingNotification extends StatusChange {
  /** An address refuses the mail, all others have it: only a repetition of its own check sends it again. */
  isRefused?: true;
}

/** The link status of a record or collection. Absent: active, and no check has failed. */
export interface LinkStatus {
  status: LinkStatusValue;
  /** Failed attempts in a row; 0 if and only if the status is `active`. */
  failures: number;
  /** Inconclusive checks in a row, without those that do not count. */
  inconclusives: number;
  /** When `status` changed last. ISO 8601 in UTC, as all times here. */
  since: string;
  /** The check that counted last, and when it was requested: checks requested earlier are out of date. */
  checkId: string;
  asOf: string;
  reason: string;
  /** When the next attempt is due; absent when there is none. */
  nextAttemptAt?: string;
  /** Oldest first; absent when there are none. */
  pendingNotifications?: PendingNotification[];
}

/** A check that has been judged. */
interface JudgedCheck extends Pick<Judgement, "verdict" | "reason" | "notCounted"> {
  checkId: string;
  requestedAt: string;
  /** The number of failures before it. Absent when only a success counts, not a failure. */
  attempt?: number | undefined;
}

export interface LinkStatusRules {
  /**
   * The waits before further attempts after a failed one. When the last attempt fails, too, the status is `deleted`.
   */
  recheckDelaysMs: readonly number[];
  /**
   * This many inconclusive checks in a row count as one failed attempt; absent: never. A check that does not count ends
   * the row, unless it did not request the host.
   */
  inconclusiveLimit?: number | undefined;
}

/**
 * The link status after a check. A failure counts only as the attempt that is due: so of a repeated attempt one counts,
 * and an attempt of an earlier suppression does not. A success counts unless it is out of date or the status is `deleted`.
 * @returns undefined when the link status stays; also when the check has been applied before
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
    if (failures === 0 && inconclusives === 0) return undefined;
    return changedStatus(linkStatus, check, { status: "active", failures: 0, inconclusives: 0, now });
  }
  if (check.attempt !== failures || check.requestedAt < (linkStatus?.nextAttemptAt ?? "")) return undefined;
  const { recheckDelaysMs, inconclusiveLimit = Number.POSITIVE_INFINITY } = rules;
  const newInconclusives = inconclusivesAfter(check, inconclusives);
  const isCounted = check.notCounted === undefined;
  if (check.verdict === "inconclusive" && !(isCounted && newInconclusives >= inconclusiveLimit)) {
    const isSameRow = inconclusives === newInconclusives || inconclusiveLimit === Number.POSITIVE_INFINITY;
    if (failures === 0 && isSameRow) return undefined;
    // An inconclusive attempt is repeated after the same wait.
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

function inconclusivesAfter({ notCounted }: JudgedCheck, before: number): number {
  if (notCounted === undefined) return before + 1;
  return notCounted === "unavailable" || notCounted === "not-checked" ? before : 0;
}

/** The wait before the attempt after this many failures; the last wait when the delays have become fewer. */
export function recheckDelayMs(
  failures: number,
  { recheckDelaysMs }: Pick<LinkStatusRules, "recheckDelaysMs">,
): number {
  return recheckDelaysMs[Math.min(failures, recheckDelaysMs.length) - 1] ?? 0;
}

/**
 * An attempt this late counts as lost. A lost attempt of a record is requested again, so it gets time to wait for its host.
 * A sweep checks collections anyway, and of two attempts after the same failure one counts: so theirs gets the time
 * between two sweeps.
 */
const lostAfterMs = { record: 24 * hourMs, collection: sweepIntervalHours * hourMs };

/** Attempts due before this time are lost. ISO 8601 in UTC. */
export function lostBefore(subject: keyof typeof lostAfterMs, at: Date): string {
  return new Date(at.getTime() - lostAfterMs[subject]).toISOString();
}

/**
 * The attempt that an unscheduled check counts as: the lost one if there is one, else 0. A failed subject without a next
 * attempt has lost it, too.
 * @param lost from `lostBefore`
 */
export function attemptNumber(linkStatus: LinkStatus | undefined, lost: string): number {
  return linkStatus !== undefined && (linkStatus.nextAttemptAt ?? "") < lost ? linkStatus.failures : 0;
}

/** The link status after an operator's restore: checks requested before are out of date. */
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
    // A check stamped by a clock that runs ahead must not make the next ones out of date.
    asOf: requestedAt < at ? requestedAt : at,
    checkId,
    reason,
    ...(waitMs !== undefined && { nextAttemptAt: new Date(now.getTime() + waitMs).toISOString() }),
  };
}
