import { InputError } from "../core/errors.ts";
import { parseArk } from "../identifiers/ark.ts";
import type { CheckProgress, CheckResult } from "./check-result.ts";
import { checkError } from "./check-result.ts";
import { type CheckedSet, parseCheckedSet } from "./checked-set.ts";
import { progressOf, type SetCount } from "./count-set.ts";

/** The process of reading a set. All checks of the same set and ARK share it. */
export interface CheckRun {
  /** The id of this run, for use in URLs. */
  checkId: string;
  /** The key of the set and the ARK. */
  shareKey: string;
  set: CheckedSet;
  /** The ARK as formatted by `formatArk`. */
  ark?: string;
  /** ISO 8601, like `updatedAt`. */
  startedAt: string;
  /** When the last page was counted. */
  updatedAt: string;
  counted: SetCount;
  /** Absent while pages are being read. */
  result?: CheckResult;
}

/** Stores runs for a day. */
export interface CheckStore {
  get(checkId: string): Promise<CheckRun | undefined>;
  /** Returns the run that checks of this set and ARK share. */
  latest(shareKey: string): Promise<CheckRun | undefined>;
  /**
   * Stores a new run as the latest run.
   * @param replaced the previous latest run
   * @returns `false` when another run has replaced it meanwhile
   */
  start(run: CheckRun, replaced: CheckRun | undefined): Promise<boolean>;
  /**
   * Stores the next state.
   * @returns `false` when the page has already been counted
   */
  advance(run: CheckRun, pagesBefore: number): Promise<boolean>;
  /**
   * Counts a check of the hour.
   * @returns `false` when the maximum (`most`) has already been reached
   */
  countCheck(by: { caller: string; hour: string; most: number }): Promise<boolean>;
}

/** The time for which a result is shared. */
const sharedForMs = 10 * 60_000;

/**
 * The longest time that a page waits for its turn at the host. Until then, a second run would only cause further
 * requests.
 */
export const pageMaxWaitMs = 3_600_000;

/**
 * The time after which a run without a new page has stopped. Requests are refused as too late after an hour, so the
 * reader of such a run has been lost.
 */
const stoppedAfterMs = 2 * 3_600_000;

export function isShared({ updatedAt, result }: CheckRun, now: Date): boolean {
  const forMs = result === undefined ? pageMaxWaitMs : sharedForMs;
  return now.getTime() - Date.parse(updatedAt) <= forMs;
}

/** Returns the result, or the progress of the run. */
export function stateOf(run: CheckRun, now: Date): CheckResult | ({ type: "progress" } & CheckProgress) {
  if (run.result !== undefined) return run.result;
  if (now.getTime() - Date.parse(run.updatedAt) > stoppedAfterMs) {
    return checkError("other", "The check has stopped before the end of the list. Start it again.");
  }
  return { type: "progress", ...progressOf(run.counted) };
}

/**
 * Parses the parameters of a check.
 * @throws InputError that names the parameter and its value
 */
export function parseCheck({ set, ark }: { set: string | undefined; ark?: string | undefined }) {
  if (set === undefined)
    throw new InputError("set", set, "is missing: give the URL of a ListRecords request");
  const parsedArk = ark === undefined || ark.trim() === "" ? undefined : parseArk(ark);
  const checked = parseCheckedSet(set);
  if (parsedArk === undefined && (ark ?? "").trim() !== "") {
    throw new InputError("ark", ark, "must be an ARK, as in ark:/80444/xv43658");
  }
  return { set: checked, ...(parsedArk !== undefined && { ark: parsedArk }) };
}
