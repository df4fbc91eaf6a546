import { budgets } from "../../core/budgets.ts";
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

/** The lists that a plan consists of, in their order: set by set, each from its oldest records to its latest ones. */
export function partsOf({ args, sets, slices }: ListPlan): ListPart[] {
  const ofSets =
    sets === undefined
      ? [{ args, names: [] }]
      : sets.map((set) => ({ args: { ...args, set }, names: [`set ${set}`] }));
  if (slices === undefined) return ofSets.map(({ args, names }) => ({ args, name: names.join() }));
  const periods = periodsOf(slices);
  // from and until have the same granularity.
  const begin = args.from !== undefined && slices.isInSeconds ? { from: `${args.from}T00:00:00Z` } : {};
  return ofSets.flatMap(({ args, names }) =>
    periods.map(({ name, ...period }) => ({
      args: { ...args, ...begin, ...period },
      name: [...names, name].join(", "),
    })),
  );
}

/** The periods. The first one has no beginning of its own, and the last one no end: datestamps may lie outside. */
function periodsOf({ unit, first, last, isInSeconds }: ListSlices) {
  const periods: { name: string; from?: string; until?: string }[] = [];
  for (let begin = firstDayOf(first); ; ) {
    const next = nextPeriod(begin, unit);
    const isLast = next > last;
    const until = dayBefore(next);
    periods.push({
      name: begin.slice(0, unit === "year" ? 4 : 7),
      ...(periods.length > 0 && { from: isInSeconds ? `${begin}T00:00:00Z` : begin }),
      ...(!isLast && { until: isInSeconds ? `${until}T23:59:59Z` : until }),
    });
    if (isLast) return periods;
    begin = next;
  }
}

const firstDayOf = (month: string) => `${month}-01`;

function nextPeriod(begin: string, unit: ListSlices["unit"]): string {
  const [year = 0, month = 1] = begin.split("-").map(Number);
  const next = unit === "year" ? new Date(Date.UTC(year + 1, 0)) : new Date(Date.UTC(year, month));
  return next.toISOString().slice(0, 10);
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

/** Whether a plan has several lists. */
export function isInParts({ sets, slices }: ListPlan): boolean {
  return sets !== undefined || slices !== undefined;
}

/** The set that is being listed. */
export function setOf({ plan, parts }: Pick<ListInParts, "plan" | "parts">): string | undefined {
  return parts === undefined ? plan.args.set : partsOf(plan)[parts.at]?.args.set;
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
  return { state: startOf(plan, partsOf(plan)[parts.at]?.args ?? plan.args), plan, parts };
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
  const all = partsOf(plan);
  const { completeness } = end;
  const isBroken = completeness.type === "interrupted";
  if (isBroken && !parts.isRepeated)
    return { type: "next", list: beginPart(plan, { ...parts, isRepeated: true }) };
  const read = addPart(parts, end, all[parts.at]?.name ?? "");
  const isOver = read.at >= all.length || read.brokenInARow >= maxBrokenInARow;
  if (!isOver) return { type: "next", list: beginPart(plan, read) };
  const { progress } = read;
  const state = { ...end.state, progress, restarts: 0 };
  return { type: "end", end: { ...end, completeness: judgeParts(read, all.length, plan), state } };
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
