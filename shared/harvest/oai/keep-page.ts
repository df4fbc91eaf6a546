import type { Clock } from "../../core/clock.ts";
import type { OaiAnswer } from "../../formats/oai/answer.ts";
import { datestampWarning } from "../../formats/oai/datestamp.ts";
import type { ListTransition } from "../../formats/oai/list-state.ts";
import type { OaiRecord } from "../../formats/oai/page.ts";
import type { ListingResult } from "../../records/runs/listing-result.ts";
import type { Run } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";
import { emptyListingResult } from "../listing/listing-results.ts";
import type { BaseListingContext } from "../listing/process-listing.ts";
import { addWanted, type WantedRecords } from "./fetch-wanted.ts";
import { keepHeaders } from "./keep-headers.ts";
import { type KeepRecordsPorts, keepRecords } from "./keep-records.ts";
import { isInParts, pagePlaceOf, setOf } from "./list-parts.ts";
import type { HarvestedList, OaiContext } from "./oai-requests.ts";
import { listMarkOf } from "./reconcile-list.ts";

interface KeepPagePorts extends KeepRecordsPorts {
  clock: Clock;
}

/** The source of a page, and the run that reads it. */
interface PageFrame {
  source: Source;
  frame: BaseListingContext;
  context: OaiContext;
}

/** Keeps the records of a page, or compares its headers with the documents, if the list has only those. */
export async function keepPage(
  step: ListTransition,
  { source, frame, context }: PageFrame,
  list: HarvestedList,
  ports: KeepPagePorts,
): Promise<{ result: ListingResult; repeated: number; wanted?: WantedRecords | undefined }> {
  const empty = emptyListingResult(frame);
  const { wanted } = list;
  if (step.type === "again") {
    const outcome = { ...empty.outcome, isPreparatory: true as const, reason: step.reason };
    return { result: { ...empty, outcome }, repeated: 0, wanted };
  }
  if (step.page === undefined) return { result: empty, repeated: 0, wanted };
  const { records } = step.page;
  const { plan, state } = list;
  const listedAt = listedAtOf(step, frame.run, ports);
  // The parts of a list have one mark.
  const mark = listMarkOf(frame.run, { restarts: isInParts(plan) ? 0 : state.restarts });
  const set = setOf(list);
  const page = pagePlaceOf(list, { ...context, set });
  const { identifiers } = plan;
  if (identifiers !== undefined && ports.kept !== undefined) {
    const headers = { sourceId: source.sourceId, mark, page, listedAt, ...identifiers };
    const found = await keepHeaders(records, headers, ports.kept);
    const result = { ...empty, outcome: { ...empty.outcome, entries: records.length } };
    return { result, repeated: found.repeated, wanted: addWanted(wanted, found.wanted) };
  }
  const place = { plan, listedAt, mark, page, set };
  const kept = await keepRecords(records, { source, frame, ...place }, ports);
  const repaired = step.flaw === undefined ? undefined : `a page had to be repaired: ${step.flaw}`;
  const warnings = [repaired, datestampWarning(records)].filter((each) => each !== undefined);
  const reason = warnings.length === 0 ? {} : { reason: warnings.join("; ") };
  const outcome = { ...empty.outcome, ...kept.counts, ...reason };
  return { result: { ...empty, resolved: kept.resolved, outcome }, repeated: kept.repeated };
}

/** Keeps a record that was asked for alone, if it exists. */
export async function keepRecord(
  record: OaiRecord | undefined,
  { source, frame }: PageFrame,
  { list, answer }: { list: HarvestedList; answer: OaiAnswer },
  ports: KeepPagePorts,
): Promise<ListingResult> {
  const empty = emptyListingResult(frame);
  const { plan, state } = list;
  const listedAt = answeredAtOf(answer, frame.run, ports);
  const place = { plan, listedAt, mark: listMarkOf(frame.run, state), set: plan.args.set };
  const records = record === undefined ? [] : [record];
  const { resolved, counts } = await keepRecords(records, { source, frame, ...place }, ports);
  return { ...empty, resolved, outcome: { ...empty.outcome, ...counts } };
}

/** When the repository answered: see `listedAtOf`. */
export function answeredAtOf(
  answer: OaiAnswer,
  harvest: Pick<Run, "startedAt">,
  ports: Pick<KeepPagePorts, "clock">,
): string {
  return listedAtOf({ page: answer.type === "page" ? answer.page : {} }, harvest, ports);
}

/**
 * When the repository answered, by its own clock. If its clock is wrong, which is the case when it answers before the
 * harvest has started or in the future, or if it states no time: when the harvest started. A time in the future would
 * hide all later changes of a document.
 */
export function listedAtOf(
  { page }: { page?: { responseDate?: string } },
  { startedAt }: Pick<Run, "startedAt">,
  { clock }: Pick<KeepPagePorts, "clock">,
): string {
  const startedMs = Date.parse(startedAt);
  const ms = Date.parse(page?.responseDate ?? "");
  const isCredible = ms >= startedMs && ms <= clock.now().getTime();
  return new Date(isCredible ? ms : startedMs).toISOString();
}
