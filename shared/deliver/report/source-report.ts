import { dayMs } from "../../core/day.ts";
import { pluralize } from "../../core/pluralize.ts";
import { countKnownReasons, type KnownCounts, sumKnownCounts } from "../../records/archive/known-reason.ts";
import type { DocumentOutcome, SourceOutcome } from "../../records/runs/run.ts";
import type { OutcomeCounts, sourceOutcomes } from "../../records/runs/source-outcomes.ts";
import type { ConflictingRecord, DuplicateDocument } from "../claims/claim.ts";
import { describePossibleDuplicate, type PossibleDuplicate } from "../refused/possible-duplicate.ts";
import type { RefusedDocument, UnprocessedDocument } from "../stage-results/validate-result.ts";
import { describeFindings } from "../validation/finding.ts";

/** A document that did not become a delivered record, with the reason. */
export interface DocumentProblem {
  /** The title of the document or, if it has none, its URL. */
  what: string;
  url: string;
  reason: string;
}

/** The articles with the same kind of problem: their number, and the first of them. */
export interface DocumentProblems {
  count: number;
  first: DocumentProblem[];
}

/** The maximum number of problems listed per kind and source; the others are counted. */
const maxExamples = 100;

/** The report of one source, from its listings to the delivered file. */
export interface SourceReport extends SourceOutcome {
  /** Set when the source is still being read for the next delivery. */
  isLate?: true;
  converted: number;
  delivered: number;
  /** Valid, but not delivered yet. */
  undelivered: number;
  /** The number of articles with an outcome of any kind. */
  read: number;
  /** Omitted, because the archive contains their URL or metadata. */
  knownToArchive: KnownCounts;
  /**
   * The same article as a record of this run or of an overlapping run, or an article that an operator has meanwhile
   * excluded.
   */
  duplicates: DocumentProblems;
  /** Possible duplicates that were delivered. */
  alike: DocumentProblems;
  onlineFirst: number;
  /** Refused by an earlier run, released since then, and not harvested again. */
  released: number;
  delinquent: DocumentProblems;
  /** Refused again, after earlier runs had already refused them. */
  refusedBefore: DocumentProblems;
  /** Read, but unusable as a record. Unusable entries of the feed are included. */
  unusable: DocumentProblems;
  /** Not provided by their hosts. */
  unreachable: DocumentProblems;
  /** Requested, but without a response before the delivery began. */
  unanswered: number;
  /** Converted with a warning. */
  warnings: DocumentProblems;
}

export function hasOutcome(report: SourceReport, outcome: (typeof sourceOutcomes)[number]): boolean {
  return outcome === "failed" ? report.state === "failed" : outcomeCounts(report)[outcome] > 0;
}

/** Returns the outcomes of the articles of a source. */
export function outcomeCounts(report: SourceReport): OutcomeCounts {
  const { delivered, undelivered, onlineFirst, unanswered, knownToArchive } = report;
  return {
    delivered,
    undelivered,
    refused: report.delinquent.count + report.refusedBefore.count,
    onlineFirst,
    duplicates: report.duplicates.count,
    known: Object.values(knownToArchive).reduce((sum, count) => sum + count, 0),
    unusable: report.unusable.count,
    unreachable: report.unreachable.count,
    unanswered,
  };
}

/** Builds the report of a source before its documents are counted. */
export function newSourceReport(outcome: SourceOutcome): SourceReport {
  const report: SourceReport = {
    ...outcome,
    converted: 0,
    delivered: 0,
    undelivered: 0,
    read: 0,
    knownToArchive: outcome.known,
    duplicates: { count: 0, first: [] },
    alike: { count: 0, first: [] },
    onlineFirst: 0,
    released: 0,
    delinquent: { count: 0, first: [] },
    refusedBefore: { count: 0, first: [] },
    unusable: { count: 0, first: [] },
    unreachable: { count: 0, first: [] },
    unanswered: 0,
    warnings: { count: 0, first: [] },
  };
  for (const { entry, reason, count = 1 } of outcome.dropped) {
    addProblem(report.unusable, { url: "", title: entry, reason });
    report.unusable.count += count - 1;
  }
  return report;
}

/** Counts the outcome of a document. */
export function countDocument(report: SourceReport, document: DocumentOutcome): void {
  report.read += 1;
  if (document.state === "known")
    report.knownToArchive = sumKnownCounts([report.knownToArchive, countKnownReasons([document.as])]);
  if (document.state === "dropped") addProblem(report.unusable, document);
  if (document.state === "failed") addProblem(report.unreachable, document);
  if (document.state !== "converted") return;
  report.converted += 1;
  if (document.warnings.length > 0) {
    addProblem(report.warnings, { ...document, reason: document.warnings.join("; ") });
  }
}

export function countDuplicate(report: SourceReport, document: DuplicateDocument): void {
  addProblem(report.duplicates, { ...document, reason: describeDuplicate(document) });
}

/**
 * Describes a duplicate. The text names the other record, and quotes the key with which an operator can find it in the
 * archive.
 */
export function describeDuplicate(document: DuplicateDocument): string {
  const { conflictingKey, conflictingRecord, urls } = document;
  const [, address] = /(?:^|:)url:(.*)/s.exec(conflictingKey) ?? [];
  const isInOtherCase =
    address !== undefined &&
    urls.some((url) => url.toLowerCase().includes(address)) &&
    !urls.some((url) => url.includes(address));
  const note = isInOtherCase ? "; addresses that differ in case alone count as one" : "";
  return `${describeConflict(conflictingKey, conflictingRecord)}${note}`;
}

function describeConflict(key: string, record: ConflictingRecord | undefined): string {
  if (record === undefined) return `the archive has ${key} for another record`;
  const { recordId, title, url, state, at, file, isOfThisRun = false } = record;
  const name = [`record ${recordId}`, title && `"${title}"`, url && `<${url}>`].filter(Boolean).join(" ");
  if (isOfThisRun) return `${key} is that of ${name} of this run`;
  const day = at === undefined ? "" : ` on ${at.slice(0, 10)}`;
  const standing = {
    automatic: `delivered${day}${file === undefined ? "" : ` in ${file}`}`,
    manual: "marked by an operator as delivered manually",
    ignore: "ignored by an operator",
    online_first: `waiting as online-first, seen${day}`,
    claimed: "claimed by another run",
    error: `refused${day}`,
    reset: "reset by an operator",
  }[state ?? "claimed"];
  return `the archive has ${key} for ${name}, ${standing}`;
}

export function countPossibleDuplicate(report: SourceReport, document: PossibleDuplicate): void {
  addProblem(report.alike, { ...document, reason: describePossibleDuplicate(document.delivered) });
}

export function countUnprocessed(report: SourceReport, document: UnprocessedDocument): void {
  addProblem(report.unusable, document);
}

/**
 * Counts a refused document.
 * @param startedAt the start of the run; ISO 8601 in UTC
 */
export function countRefused(report: SourceReport, document: RefusedDocument, startedAt: string): void {
  const reason = describeFindings(document.findings).join("; ");
  const { refusedSince } = document;
  if (refusedSince === undefined) addProblem(report.delinquent, { ...document, reason });
  else
    addProblem(report.refusedBefore, {
      ...document,
      reason: `${describeSince(refusedSince, startedAt)}: ${reason}`,
    });
}

function describeSince(since: string, now: string): string {
  const days = Math.round((Date.parse(now) - Date.parse(since)) / dayMs);
  return days < 1 ? "since earlier today" : `since ${pluralize(days, "day")}`;
}

function addProblem(
  problems: DocumentProblems,
  { title, url, reason }: { title?: string; url: string; reason: string },
): void {
  problems.count += 1;
  if (problems.first.length < maxExamples) problems.first.push({ what: title ?? url, url, reason });
}
