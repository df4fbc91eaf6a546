// The results of a reconversion's steps, which are stored part by part.

import { inParallel } from "../../core/in-parallel.ts";
import type { ReconversionState, TriedOutcome } from "../../records/reconversions/reconversion.ts";
import { type Parts, readParts } from "../../records/runs/parts.ts";
import type { RunStore } from "../../records/runs/run-store.ts";
import type { TriedRecord } from "./tried-record.ts";

/** A part whose records have been compared. */
export interface TriedPart {
  counts: Partial<Record<TriedOutcome, number>>;
  /** `TriedRecord`s. */
  records: Parts;
}

/** A part whose updates have been reserved, or turned out to be stale. */
export interface ReservedPart {
  /** The updates of each group: the key of the part, and their number. */
  groups: { groupId: string; key: string; count: number }[];
  stale: { recordId: string; reason: string }[];
}

type Results = Pick<RunStore, "stageResult">;

const maxParallelResults = 32;

/** Returns the results of the parts that have been compared so far, in order. */
export async function triedParts(
  reconversionId: string,
  runs: Results,
): Promise<(TriedPart & { id: string })[]> {
  const selected = await runs.stageResult<Parts>(reconversionId, "selection");
  const parts = await inParallel(selected?.keys ?? [], maxParallelResults, async (_, index) => {
    const part = await runs.stageResult<TriedPart>(reconversionId, `tried-${index}`);
    return part === undefined ? [] : [{ ...part, id: String(index) }];
  });
  return parts.flat();
}

/** Returns the reserved updates of a reconversion. `updates` are `ReservedUpdate`s. */
export async function reservedUpdates(
  reconversionId: string,
  runs: Results,
): Promise<{ groupId: string; updates: Parts }[]> {
  const parts = await inParallel(await triedParts(reconversionId, runs), maxParallelResults, ({ id }) =>
    runs.stageResult<ReservedPart>(reconversionId, `reserved-${id}`),
  );
  return parts.flatMap((part) =>
    (part?.groups ?? []).map(({ groupId, key, count }) => ({ groupId, updates: { keys: [key], count } })),
  );
}

/** Returns the records of a part with their current outcomes: after the updates were reserved, some may be stale. */
export async function outcomesOfPart(
  reconversionId: string,
  { id, records }: Pick<TriedPart, "records"> & { id: string },
  runs: Pick<RunStore, "stageResult" | "loadPart">,
): Promise<(TriedRecord & { reason?: string })[]> {
  const reserved = await runs.stageResult<ReservedPart>(reconversionId, `reserved-${id}`);
  const stale = new Map(reserved?.stale.map(({ recordId, reason }) => [recordId, reason]));
  const tried: TriedRecord[] = [];
  for await (const part of readParts<TriedRecord>(records, runs)) tried.push(...part);
  return tried.map((record) => {
    const { recordId, title, landingUrl } = record;
    const reason = stale.get(recordId);
    return reason === undefined ? record : { recordId, title, landingUrl, outcome: "stale", reason };
  });
}

/** Returns the outcome of a record as of now: when its reconversion has been delivered, what was changed is delivered. */
export function currentOutcome(outcome: TriedOutcome, state: ReconversionState | undefined): TriedOutcome {
  return state === "delivered" && outcome === "changed" ? "delivered" : outcome;
}

/** The number of positions of a part, which has fewer records. */
const positionsOfPart = 1000;

/** The outcomes of comparison from which these outcomes result. */
const resultsOf: Partial<Record<TriedOutcome, TriedOutcome[]>> = {
  delivered: ["changed"],
  stale: ["changed", "stale"],
};

/**
 * Returns the records from a position on, with their current outcomes. A page ends with the part in which it begins, so
 * it may be short.
 * @param place.outcome skips the parts that have no record with this outcome
 */
export async function outcomesFrom(
  reconversionId: string,
  {
    after = 0,
    limit,
    outcome,
  }: { after?: number | undefined; limit: number; outcome?: TriedOutcome | undefined },
  runs: Pick<RunStore, "stageResult" | "loadPart">,
): Promise<{ records: (TriedRecord & { reason?: string })[]; next?: number }> {
  const selected = await runs.stageResult<Parts>(reconversionId, "selection");
  const total = selected?.keys.length ?? 0;
  const first = Math.floor(after / positionsOfPart);
  const wanted = outcome === undefined ? undefined : await partsWith(outcome, reconversionId, runs);
  const index = wanted?.find((each) => each >= first) ?? (wanted === undefined ? first : total);
  const offset = index === first ? after % positionsOfPart : 0;
  const part = await runs.stageResult<TriedPart>(reconversionId, `tried-${index}`);
  const records =
    part === undefined ? [] : await outcomesOfPart(reconversionId, { ...part, id: String(index) }, runs);
  const end = offset + limit;
  const isWhole = end >= records.length;
  const next = isWhole ? (index + 1) * positionsOfPart : index * positionsOfPart + end;
  return { records: records.slice(offset, end), ...((!isWhole || index + 1 < total) && { next }) };
}

/** Returns the indexes of the parts that may have a record with this outcome. */
async function partsWith(outcome: TriedOutcome, reconversionId: string, runs: Results): Promise<number[]> {
  const outcomes = resultsOf[outcome] ?? [outcome];
  const parts = await triedParts(reconversionId, runs);
  return parts.filter(({ counts }) => outcomes.some((each) => counts[each])).map(({ id }) => Number(id));
}
