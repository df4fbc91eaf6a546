import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import type { Run } from "../../records/runs/run.ts";
import { isDrop, minRecords, type Share, sumShares } from "./drop.ts";
import type { QualityFigures } from "./figures.ts";
import { type QualityFieldName, qualityFieldNames } from "./quality-field.ts";

/** The figures of a source in one run. */
export interface SourceQuality extends QualityFigures, Pick<Run, "runId" | "startedAt"> {
  sourceId: string;
}

/** A drop of the share of records that have a field, from the run in which it began to the run in which it ended. */
export interface Drift {
  driftId: string;
  field: QualityFieldName;
  /** The start of the first run with the drop. ISO 8601 in UTC, like the other times. */
  since: string;
  /** The run that found the drop, with its start. */
  foundIn: string;
  foundAt: string;
  /** The share when the drop was found, and the share in the runs before it. */
  now: Share;
  before: Share;
  /** The run in which the share had recovered, with its start and the share. */
  recovered?: { runId: string; at: string; share: Share };
  /** Set when an operator has accepted the lower share as normal. */
  accepted?: { at: string; by: string };
}

/** The drifts of a source. */
export interface SourceDrifts {
  sourceId: string;
  title: string;
  /** The last judged run: its start and id. Later runs are compared with the runs up to it. */
  judged: string;
  /** Oldest first; at most one of a field is open. */
  drifts: Drift[];
  /** The number of writes. */
  revision: number;
}

/** The number of drifts that are kept: the open ones, and the last of the others. */
const maxDrifts = 60;

/** The runs with which a run is compared: those of 30 days or, if they have too few records, earlier ones as well. */
const comparedDays = 30;
const comparedRecords = 20;

/** The number of earlier runs with records that are read: more than 30 days have, with a run per day. */
export const maxEarlierRuns = 100;

export function isOpen({ recovered, accepted }: Drift): boolean {
  return recovered === undefined && accepted === undefined;
}

export function judgedKey({ startedAt, runId }: Pick<SourceQuality, "startedAt" | "runId">): string {
  return `${startedAt}#${runId}`;
}

/**
 * Judges a run by the earlier runs of its source. A repeated run, or one that started before the last judged run, changes
 * nothing.
 * @param earlier the runs that started before this one, newest first
 * @param known the drifts so far; undefined for the first run
 * @returns undefined when the run has been judged before
 */
export function judgeRun(
  run: SourceQuality,
  earlier: readonly SourceQuality[],
  { known, title }: { known: SourceDrifts | undefined; title: string },
): SourceDrifts | undefined {
  const { sourceId } = run;
  const judged = judgedKey(run);
  if (known !== undefined && known.judged >= judged) return undefined;
  const runs = [run, ...earlier];
  let drifts = known?.drifts ?? [];
  for (const field of qualityFieldNames) drifts = judgeField(field, runs, drifts);
  return { sourceId, title, judged, drifts: truncate(drifts), revision: (known?.revision ?? 0) + 1 };
}

/** @param runs the judged run, then the earlier ones, newest first */
function judgeField(field: QualityFieldName, runs: readonly SourceQuality[], drifts: Drift[]): Drift[] {
  const [{ sourceId, runId, startedAt }] = runs as [SourceQuality];
  const own = drifts.filter((drift) => drift.field === field);
  const shares = runs.map((run) => ({
    at: run.startedAt,
    has: run.fields[field]?.has ?? 0,
    of: run.records,
  }));
  const open = own.find(isOpen);
  if (open !== undefined) {
    const now = sumShares(takeRecent(shares.filter(({ at }) => at >= open.since)));
    if (!hasRecovered(now, open)) return drifts;
    const recovered = { runId, at: startedAt, share: now };
    return drifts.map((drift) => (drift === open ? { ...open, recovered } : drift));
  }
  const normal = shares.filter(({ at }) => isNormal(at, own));
  const recent = takeRecent(normal);
  const since = recent.at(-1)?.at ?? startedAt;
  const earlier = normal.filter(({ at }) => at < since);
  const [now, before] = [sumShares(recent), takeCompared(earlier, since)];
  if (!isDrop(now, before)) return drifts;
  const driftId = digest(sourceId, field, since);
  const shared = { driftId, field, since, foundIn: runId, foundAt: startedAt };
  return [...drifts, { ...shared, now, before: sumShares(before) }];
}

/** Decides whether a share is no longer lower than before a drift, and nearer to that than to the share of the drift. */
function hasRecovered(now: Share, { now: drifted, before }: Drift): boolean {
  if (now.of < minRecords || isDrop(now, [before])) return false;
  return shareOf(now) >= (shareOf(drifted) + shareOf(before)) / 2;
}

/**
 * Decides whether a run shows what is normal for a field: it is not in a drift, and not before a lower share that an
 * operator has accepted.
 */
function isNormal(at: string, own: readonly Drift[]): boolean {
  return own.every(({ since, recovered, accepted }) =>
    accepted === undefined ? at < since || at >= (recovered?.at ?? "~") : at >= since,
  );
}

interface RunShare extends Share {
  at: string;
}

/** Returns the newest runs that together have enough records: one run, or several of a small source. */
function takeRecent(shares: readonly RunShare[]): RunShare[] {
  let records = 0;
  return shares.filter(({ of }) => {
    const isTaken = records < minRecords;
    records += of;
    return isTaken;
  });
}

/** Returns the runs with which runs since that time are compared. */
function takeCompared(shares: readonly RunShare[], since: string): RunShare[] {
  let records = 0;
  return shares.filter(({ at, of }) => {
    const isRecent = Date.parse(since) - Date.parse(at) <= comparedDays * dayMs;
    const isTaken = isRecent || records < comparedRecords;
    records += of;
    return isTaken;
  });
}

function shareOf({ has, of }: Share): number {
  return has / of;
}

function truncate(drifts: readonly Drift[]): Drift[] {
  const surplus = drifts.filter((drift) => !isOpen(drift)).slice(0, Math.max(0, drifts.length - maxDrifts));
  return drifts.filter((drift) => !surplus.includes(drift));
}
