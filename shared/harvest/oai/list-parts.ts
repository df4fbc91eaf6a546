import { budgets } from "../../core/budgets.ts";
import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { pluralize } from "../../core/pluralize.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import {
  type Completeness,
  isResized,
  type ListProgress,
  listBegin,
  reasonOf,
  withRepeated,
} from "../../formats/oai/completeness.ts";
import { type ListState, type ListTransition, startList } from "../../formats/oai/list-state.ts";
import type { ListArguments } from "../../formats/oai/request-url.ts";
import type { PagePlace } from "../../records/documents/list-marks.ts";
import type { ListPlan, ListSlices } from "../oai-state/list-plan.ts";

/** One of the lists of a plan: of a set, of a period, or of all. */
interface ListPart {
  args: ListArguments;
  /** As reasons name it: `set articles, 2026-03`. */
  name: string;
}

/** What the parts before the present one have given. JSON, in the context of the requests. */
export interface PartsRead {
  /** The place of the present part. */
  at: number;
  progress: ListProgress;
  /** Records that the parts lack by their completeListSize. */
  lacking: number;
  /** Parts that were not read to their end; some of them by name. */
  broken: number;
  brokenInARow: number;
  reasons: string[];
  /** The present part has broken once. */
  isRepeated?: true;
}

/** A list between two requests; `parts` when the plan has several. */
export interface ListInParts {
  state: ListState;
  plan: ListPlan;
  parts?: PartsRead;
}

type ListEnd = Extract<ListTransition, { type: "end" }>;

/** The number of broken parts in a row after which the others are not requested. */
const maxBrokenInARow = 3;
const maxReasons = 3;

/**
 * Returns one of the lists that a plan consists of, by its place: set by set, each from its oldest records to its latest ones.
 * @returns undefined after the last one
 */
export function partAt({ args, sets, slices }: ListPlan, at: number): ListPart | undefined {
  const periods = slices === undefined ? 1 : countPeriods(slices);
  const ofSets: (string | undefined)[] = sets ?? [undefined];
  const place = Math.floor(at / periods);
  if (place >= ofSets.length) return undefined;
  const set = ofSets[place];
  const own = set === undefined ? args : { ...args, set };
  const names = set === undefined ? [] : [`set ${set}`];
  if (slices === undefined) return { args: own, name: names.join() };
  const { name, ...period } = periodAt(slices, at % periods, periods);
  // from and until have the same granularity.
  const begin = args.from !== undefined && slices.isInSeconds ? { from: `${args.from}T00:00:00Z` } : {};
  return { args: { ...own, ...begin, ...period }, name: [...names, name].join(", ") };
}

/** Returns how many lists a plan consists of. */
function countParts({ sets, slices }: ListPlan): number {
  return (sets?.length ?? 1) * (slices === undefined ? 1 : countPeriods(slices));
}

function countPeriods({ unit, first, last }: ListSlices): number {
  return periodOf(last, unit) - periodOf(first, unit) + 1;
}

/** A period. The first one has no beginning of its own, and the last one no end: datestamps may lie outside. */
function periodAt({ unit, first, isInSeconds }: ListSlices, at: number, periods: number) {
  const number = periodOf(first, unit) + at;
  const begin = firstDayOf(number, unit);
  const until = new Date(Date.parse(firstDayOf(number + 1, unit)) - dayMs).toISOString().slice(0, 10);
  return {
    name: begin.slice(0, unit === "year" ? 4 : 7),
    ...(at > 0 && { from: isInSeconds ? `${begin}T00:00:00Z` : begin }),
    ...(at < periods - 1 && { until: isInSeconds ? `${until}T23:59:59Z` : until }),
  };
}

/** Numbers the years, or the months of all years. @param day `YYYY-MM`, or a day */
function periodOf(day: string, unit: ListSlices["unit"]): number {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return unit === "year" ? year : 12 * year + month - 1;
}

function firstDayOf(period: number, unit: ListSlices["unit"]): string {
  const first = unit === "year" ? Date.UTC(period) : Date.UTC(Math.floor(period / 12), period % 12);
  return new Date(first).toISOString().slice(0, 10);
}

/** Whether a plan has several lists. */
export function isInParts({ sets, slices }: ListPlan): boolean {
  return sets !== undefined || slices !== undefined;
}

/** The set that is being listed. */
export function setOf({ plan, parts }: Pick<ListInParts, "plan" | "parts">): string | undefined {
  return parts === undefined ? plan.args.set : partAt(plan, parts.at)?.args.set;
}

/** Names a page, to tell the records that the list repeats. A record of several sets is in the list of each. */
export function pagePlaceOf(
  { state: { restarts }, parts }: ListInParts,
  { runId, place, set = "" }: { runId: string; place: number; set: string | undefined },
): PagePlace {
  const list = digest(runId, set);
  return { list, slice: parts?.at ?? 0, attempt: `${restarts}${parts?.isRepeated ? "-again" : ""}`, place };
}

/** The beginning of a planned list. */
export function beginList(plan: ListPlan): ListInParts {
  if (!isInParts(plan)) return { state: startOf(plan, plan.args), plan };
  const parts = { at: 0, progress: listBegin, lacking: 0, broken: 0, brokenInARow: 0, reasons: [] };
  return beginPart(plan, parts);
}

function beginPart(plan: ListPlan, parts: PartsRead): ListInParts {
  return { state: startOf(plan, partAt(plan, parts.at)?.args ?? plan.args), plan, parts };
}

function startOf({ identifiers }: ListPlan, args: ListArguments): ListState {
  return startList(identifiers === undefined ? "ListRecords" : "ListIdentifiers", args);
}

/**
 * Decides what follows the end of a part: the same part again, if it broke for the first time, the next part, or the end of
 * the whole. The whole is complete if all parts are.
 */
export function endPart(
  { plan, parts }: ListInParts,
  end: ListEnd,
): { type: "next"; list: ListInParts } | { type: "end"; end: ListEnd } {
  if (parts === undefined) return { type: "end", end };
  const count = countParts(plan);
  const { completeness } = end;
  const isBroken = completeness.type === "interrupted";
  if (isBroken && !parts.isRepeated)
    return { type: "next", list: beginPart(plan, { ...parts, isRepeated: true }) };
  const read = addPart(parts, end, partAt(plan, parts.at)?.name ?? "");
  const isOver = read.at >= count || read.brokenInARow >= maxBrokenInARow;
  if (!isOver) return { type: "next", list: beginPart(plan, read) };
  const { progress } = read;
  const state = { ...end.state, progress, restarts: 0 };
  return { type: "end", end: { ...end, completeness: judgeParts(read, count, plan), state } };
}

function addPart(
  { isRepeated: _done, ...parts }: PartsRead,
  { completeness, state }: ListEnd,
  name: string,
): PartsRead {
  const isBroken = completeness.type === "interrupted";
  const lacking = completeness.type === "short" ? completeness.announced - completeness.read : 0;
  // It has the repository's own text, and is part of each request.
  const reason = isBroken
    ? [truncateToBytes(`${name}: ${reasonOf(completeness)}`, budgets.droppedReasonBytes)]
    : [];
  return {
    at: parts.at + 1,
    progress: addProgress(parts.progress, state.progress),
    lacking: parts.lacking + lacking,
    broken: parts.broken + (isBroken ? 1 : 0),
    brokenInARow: isBroken ? parts.brokenInARow + 1 : 0,
    reasons: [...parts.reasons, ...reason].slice(0, maxReasons),
  };
}

function addProgress(before: ListProgress, part: ListProgress): ListProgress {
  const isShifted = before.announcedChanged || isResized(part);
  const responseDate = before.responseDate ?? part.responseDate;
  const sum = {
    ...listBegin,
    pages: before.pages + part.pages,
    records: before.records + part.records,
    bytes: before.bytes + part.bytes,
    ...(isShifted && { announcedChanged: true as const }),
    ...(before.repeated !== undefined && { repeated: before.repeated }),
    ...(responseDate !== undefined && { responseDate }),
  };
  return withRepeated(sum, part.repeated ?? 0);
}

function judgeParts(
  { broken, reasons, progress: { records }, lacking, at }: PartsRead,
  count: number,
  { expectsRecords }: ListPlan,
): Completeness {
  if (broken > 0) {
    const unread = at < count ? `, and ${count - at} more were not requested` : "";
    const reason = `${broken} of ${pluralize(count, "part")} of the list could not be read${unread}: ${reasons.join("; ")}`;
    return { type: "interrupted", reason };
  }
  if (records === 0 && expectsRecords) return { type: "empty" };
  return lacking > 0 ? { type: "short", announced: records + lacking, read: records } : { type: "complete" };
}
