import { type KnownCounts, sumKnownCounts } from "../../records/archive/known-reason.ts";
import type { OverdueResult, OverdueSource } from "../../records/runs/overdue-sources.ts";
import { type Parts, readParts } from "../../records/runs/parts.ts";
import {
  type ConvertedDocument,
  failedSourceOutcome,
  type Run,
  type RunFigures,
  type SourceOutcome,
} from "../../records/runs/run.ts";
import type { HarvestBatch, RunStore } from "../../records/runs/run-store.ts";
import { listedOf } from "../../records/runs/source-outcomes.ts";
import { sourcesTallyName } from "../../records/runs/tally-names.ts";
import type { DuplicateDocument } from "../claims/claim.ts";
import type { DeliveryPlan } from "../plan/plan.ts";
import type { DriftNews } from "../quality/watch-quality.ts";
import type { PossibleDuplicate } from "../refused/possible-duplicate.ts";
import type { PlannedFile, UploadedFile } from "../stage-results/delivery.ts";
import type {
  RefusedDocument,
  UnprocessedDocument,
  ValidateResult,
} from "../stage-results/validate-result.ts";
import { uploadedFiles } from "../upload/uploaded-files.ts";
import {
  countDocument,
  countDuplicate,
  countPossibleDuplicate,
  countRefused,
  countUnprocessed,
  newSourceReport,
  outcomeCounts,
  type SourceReport,
} from "./source-report.ts";

/** The report of a run. */
export interface RunReport {
  run: Run;
  sources: SourceReport[];
  /** The delivered files, and the files that are kept for operators. */
  files: UploadedFile[];
  /** The files of valid records that have not been delivered yet. */
  waitingFiles: PlannedFile[];
  /** The ids of the sources that are still being read for the next delivery; absent when there are none. */
  late?: string[];
  /** Absent before the stage `overdue`. */
  overdue?: OverdueSource[];
  /** The drifts of sources that this run has found, or that have ended in it. Absent before the last stage. */
  quality?: DriftNews[];
  totals: Record<
    | "entries"
    | "converted"
    | "delivered"
    | "undelivered"
    | "onlineFirst"
    | "delinquent"
    | "refusedBefore"
    | "unusable"
    | "unreachable",
    number
  > & {
    knownToArchive: KnownCounts;
    /** This field and the next two are absent in reports of earlier versions. `listed` is the sum of the outcomes. */
    duplicates?: number;
    unanswered?: number;
    listed?: number;
  };
}

export type ReportedRuns = Pick<
  RunStore,
  "get" | "sourceOutcomes" | "openIds" | "outcomeBatches" | "loadHarvestBatch" | "stageResult" | "loadPart"
>;

const shareReached = "its share of this delivery is reached: the rest of its list is part of the next one";

const tooLate = "no response before the deadline";

/**
 * Builds the current report of a run. The report is complete when the run has finished, and partial when the run is in
 * progress or has failed.
 */
export async function reportRun(runId: string, runs: ReportedRuns): Promise<RunReport> {
  const run = await runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  const [validated, plan, { files, waiting: waitingFiles }, overdueResult] = await Promise.all([
    runs.stageResult<ValidateResult>(runId, "validate"),
    runs.stageResult<DeliveryPlan>(runId, "plan"),
    uploadedFiles(runId, runs),
    runs.stageResult<OverdueResult>(runId, "overdue"),
  ]);
  const released = await releasedIn(validated, runs);
  const reports = await sourceReports(run, { released, late: validated?.late ?? [] }, runs);
  await addJoined(reports, { validated, released }, runs);
  for (const sourceId of validated?.continuedSources ?? []) {
    const report = reports.get(sourceId);
    if (report !== undefined) report.reason = [report.reason, shareReached].filter(Boolean).join("; ");
  }
  const each = async <Item extends { sourceId: string }>(
    parts: Parts | undefined,
    count: (report: SourceReport, item: Item) => void,
  ) => {
    for await (const part of readParts<Item>(parts, runs)) {
      for (const item of part) {
        const report = reports.get(item.sourceId);
        if (report !== undefined) count(report, item);
      }
    }
  };
  // Each record is counted once. A record that could not claim its keys is a duplicate, regardless of the outcome of
  // its validation.
  const missed = new Set<string>();
  for await (const part of readParts<DuplicateDocument>(plan?.duplicates, runs))
    for (const { sourceId, recordId } of part) missed.add(`${sourceId} ${recordId}`);
  const isMissed = ({ sourceId, recordId }: ConvertedDocument) => missed.has(`${sourceId} ${recordId}`);
  await each<ConvertedDocument>(validated?.onlineFirst, (report, document) => {
    if (!isMissed(document)) report.onlineFirst += 1;
  });
  for (const sourceId of released.values()) {
    const report = reports.get(sourceId) ?? newSourceReport(unharvested(sourceId));
    report.released += 1;
    reports.set(sourceId, report);
  }
  await each<UnprocessedDocument>(validated?.unprocessed, countUnprocessed);
  await each<PossibleDuplicate>(validated?.alike, countPossibleDuplicate);
  await each<RefusedDocument>(validated?.delinquent, (report, document) => {
    if (!isMissed(document)) countRefused(report, document, run.startedAt);
  });
  await each<DuplicateDocument>(plan?.duplicates ?? validated?.duplicates, countDuplicate);
  for (const file of files.filter(({ kind }) => kind === "valid")) {
    await each<ConvertedDocument>(file.documents, (report) => {
      report.delivered += 1;
    });
  }
  // Without a plan, all valid records are waiting.
  const waiting = plan === undefined ? [validated?.valid] : waitingFiles.map(({ documents }) => documents);
  for (const documents of waiting) {
    await each<ConvertedDocument>(documents, (report) => {
      report.undelivered += 1;
    });
  }
  // Before the validation, any of the records may be delivered.
  if (validated === undefined) for (const report of reports.values()) report.undelivered = report.converted;
  const sources = [...reports.values()].sort((a, b) => a.title.localeCompare(b.title));
  const overdue = overdueResult && { overdue: overdueResult.overdue };
  const late = validated?.late && { late: validated.late };
  return { run, sources, files, waitingFiles, ...late, ...overdue, totals: totalsOf(sources) };
}

/**
 * Returns the report of a run. For a finished run, this is the report that was mailed; otherwise, the current report.
 */
export async function readReport(run: Run, runs: ReportedRuns): Promise<RunReport> {
  const isOver = run.state === "finished";
  const mailed = isOver ? await runs.stageResult<FinalReport>(run.runId, "report") : undefined;
  return mailed === undefined ? reportRun(run.runId, runs) : { ...mailed, run };
}

/** The part of the report that the last stage stores. */
export type FinalReport = Omit<RunReport, "run">;

/** Returns the source of each record that was released since the last run, by record id. */
async function releasedIn(
  validated: ValidateResult | undefined,
  runs: ReportedRuns,
): Promise<Map<string, string>> {
  const released = new Map<string, string>();
  for await (const part of readParts<ConvertedDocument>(validated?.released, runs)) {
    for (const { recordId, sourceId } of part) released.set(recordId, sourceId);
  }
  return released;
}

/** Adds the documents of long harvests that have joined the run. */
async function addJoined(
  reports: Map<string, SourceReport>,
  { validated, released }: { validated: ValidateResult | undefined; released: Map<string, string> },
  runs: ReportedRuns,
): Promise<void> {
  for await (const part of readParts<HarvestBatch>(validated?.joined, runs)) {
    for (const page of part) {
      for (const document of await runs.loadHarvestBatch(page)) {
        const { sourceId } = document;
        const report = reports.get(sourceId) ?? (await newJoinedReport(page, sourceId, runs));
        reports.set(sourceId, report);
        report.entries += 1;
        countDocument(report, document);
        if (document.state === "converted") released.delete(document.recordId);
      }
    }
  }
}

/** Builds the report of a source that only a long harvest has read. */
async function newJoinedReport(
  { harvestId }: HarvestBatch,
  sourceId: string,
  runs: ReportedRuns,
): Promise<SourceReport> {
  const outcome = (await runs.sourceOutcomes(harvestId)).find((one) => one.sourceId === sourceId);
  const { title = sourceId, state = "read", reason } = outcome ?? {};
  return newSourceReport({ ...unharvested(sourceId), title, state, ...(reason !== undefined && { reason }) });
}

/** Returns the outcome of a source that the run has not harvested. */
function unharvested(sourceId: string): SourceOutcome {
  return { sourceId, title: sourceId, state: "read", entries: 0, known: {}, requested: 0, dropped: [] };
}

/**
 * Builds the reports of the sources with their documents, by id. Sources that did not respond before the deadline have
 * failed; late sources are still being read. A released record that was harvested again counts as converted, and no
 * longer as released.
 */
async function sourceReports(
  run: Run,
  { released, late }: { released: Map<string, string>; late: readonly string[] },
  runs: ReportedRuns,
): Promise<Map<string, SourceReport>> {
  const isOver = run.state !== "starting" && run.state !== "harvesting";
  const outcomes = await runs.sourceOutcomes(run.runId);
  const reports = new Map(outcomes.map((outcome) => [outcome.sourceId, newSourceReport(outcome)]));
  for (const sourceId of late) {
    const report = reports.get(sourceId) ?? newSourceReport(unharvested(sourceId));
    reports.set(sourceId, { ...report, isLate: true });
  }
  for (const sourceId of isOver ? await runs.openIds(run.runId, sourcesTallyName) : []) {
    if (reports.has(sourceId)) continue;
    reports.set(
      sourceId,
      newSourceReport(failedSourceOutcome({ sourceId, title: sourceId }, tooLate, { isUnreachable: true })),
    );
  }
  for await (const page of runs.outcomeBatches(run.runId)) {
    for (const document of page) {
      const report = reports.get(document.sourceId);
      if (report !== undefined) countDocument(report, document);
      if (document.state === "converted") released.delete(document.recordId);
    }
  }
  for (const report of reports.values()) report.unanswered = Math.max(0, report.requested - report.read);
  return reports;
}

function totalsOf(sources: SourceReport[]): RunReport["totals"] {
  const sum = (count: (source: SourceReport) => number) =>
    sources.reduce((total, source) => total + count(source), 0);
  return {
    entries: sum(({ entries }) => entries),
    converted: sum(({ converted }) => converted),
    delivered: sum(({ delivered }) => delivered),
    undelivered: sum(({ undelivered }) => undelivered),
    knownToArchive: sumKnownCounts(sources.map(({ knownToArchive }) => knownToArchive)),
    onlineFirst: sum(({ onlineFirst }) => onlineFirst),
    delinquent: sum(({ delinquent }) => delinquent.count),
    refusedBefore: sum(({ refusedBefore }) => refusedBefore.count),
    unusable: sum(({ unusable }) => unusable.count),
    unreachable: sum(({ unreachable }) => unreachable.count),
    duplicates: sum(({ duplicates }) => duplicates.count),
    unanswered: sum(({ unanswered }) => unanswered),
    listed: sum((source) => listedOf(outcomeCounts(source))),
  };
}

/** Returns the outcomes of the articles of a run. */
export function figuresOf(totals: RunReport["totals"]): RunFigures {
  const { delivered, undelivered, onlineFirst, unusable, unreachable } = totals;
  const { duplicates = 0, unanswered = 0 } = totals;
  const counts = {
    delivered,
    undelivered,
    refused: totals.delinquent + totals.refusedBefore,
    onlineFirst,
    duplicates,
    known: Object.values(totals.knownToArchive).reduce((sum, count) => sum + count, 0),
    unusable,
    unreachable,
    unanswered,
  };
  return { listed: listedOf(counts), ...counts };
}
