import { InputError } from "../core/errors.ts";
import { parseArk } from "../identifiers/ark.ts";
import type { CheckProgress, CheckResult } from "./check-result.ts";
import { checkError } from "./check-result.ts";
import { type CheckedSet, parseCheckedSet } from "./checked-set.ts";
import { progressOf, type SetCount } from "./count-set.ts";

/** The reading of a set, which all checks of the same set and ARK share. */
export interface CheckRun {
  /** The id of this run, for URLs. */
  checkId: string;
  /** The key of the set and the ARK. */
  shareKey: string;
  set: CheckedSet;
  /** As `formatArk` writes it. */
  ark?: string;
  /** ISO 8601, as the next. */
  startedAt: string;
  /** When the last page was counted. */
  updatedAt: string;
  counted: SetCount;
  /** Absent while pages are being read. */
  result?: CheckResult;
}

/** Where runs are stored, for a day. */
export interface CheckStore {
  get(checkId: string): Promise<CheckRun | undefined>;
  /** The run that checks of this set and ARK share. */
  latest(shareKey: string): Promise<CheckRun | undefined>;
  /**
   * Stores a new run as the latest one.
   * @param replaced the latest run before; `false` when another run has replaced it since
   */
  start(run: CheckRun, replaced: CheckRun | undefined): Promise<boolean>;
  /** Stores the next state; `false` when that page has been counted already. */
  advance(run: CheckRun, pagesBefore: number): Promise<boolean>;
  /** Counts one more check of the hour; `false` when there were `most` already. */
  countCheck(by: { caller: string; hour: string; most: number }): Promise<boolean>;
}

/** A result is shared for as long. */
const sharedForMs = 10 * 60_000;

/** A page waits for its turn at the host for so long at most. Until then, a second run would only request more. */
export const pageMaxWaitMs = 3_600_000;

/** Requests are refused as too late after an hour: a run without a page for longer has lost its reader. */
const stoppedAfterMs = 2 * 3_600_000;

export function isShared({ updatedAt, result }: CheckRun, now: Date): boolean {
  const forMs = result === undefined ? pageMaxWaitMs : sharedForMs;
  return now.getTime() - Date.parse(updatedAt) <= forMs;
}

/** The result, or how far the run is. */
export function stateOf(run: CheckRun, now: Date): CheckResult | ({ type: "progress" } & CheckProgress) {
  if (run.result !== undefined) return run.result;
  if (now.getTime() - Date.parse(run.updatedAt) > stoppedAfterMs) {
    return checkError("other", "The check has stopped before the end of the list. Start it again.");
  }
  return { type: "progress", ...progressOf(run.counted) };
}

/** @throws InputError that names the parameter, and its value */
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
