import { countKnownReasons, type KnownCounts, sumKnownCounts } from "../../archive/known-reason.ts";
import type { DocumentOutcome, SourceOutcome } from "../../runs/run.ts";
import { describeFindings } from "../../validation/finding.ts";
import type { DuplicateDocument } from "../plan/claim.ts";
import { type AlikeDocument, describeAlike } from "../validate/perhaps-same.ts";
import type { DelinquentDocument } from "../validate/validate-result.ts";

/** A document that did not become a delivered record, and why. */
export interface DocumentProblem {
  /** Its title, or its URL when it has none. */
  what: string;
  url: string;
  reason: string;
}

/** Articles with the same kind of problem: their number, and the first of them. */
export interface DocumentProblems {
  count: number;
  first: DocumentProblem[];
}

/** The problems listed per kind and source; the others are counted. */
const maxExamples = 100;

/** The report of one source, from its listings to the delivered file. */
export interface SourceReport extends SourceOutcome {
  converted: number;
  delivered: number;
  /** Valid, and not delivered yet. */
  undelivered: number;
  /** Articles with an outcome of any kind. */
  read: number;
  /** Omitted, as the archive knows their URL or metadata. */
  knownToArchive: KnownCounts;
  /** The same article as a record of this run or an overlapping one; or excluded by an operator meanwhile. */
  duplicates: DocumentProblems;
  /** Delivered, although perhaps the same as a record delivered before. */
  alike: DocumentProblems;
  onlineFirst: number;
  /** Refused by an earlier run, released since, and not harvested again. */
  released: number;
  delinquent: DocumentProblems;
  /** Read, but unusable as a record; including unusable entries of the feed. */
  unusable: DocumentProblems;
  /** Not provided by their hosts. */
  unreachable: DocumentProblems;
  /** Requested, and not answered before the delivery began. */
  unanswered: number;
  /** Converted with a warning. */
  warnings: DocumentProblems;
}

/** The report of a source before its documents are counted. */
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
    unusable: { count: 0, first: [] },
    unreachable: { count: 0, first: [] },
    unanswered: 0,
    warnings: { count: 0, first: [] },
  };
  for (const { entry, reason } of outcome.dropped)
    addProblem(report.unusable, { url: "", title: entry, reason });
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

/** The reason quotes the key by which an operator finds the other record in the archive. */
export function countDuplicate(report: SourceReport, document: DuplicateDocument): void {
  const { conflictingKey, urls } = document;
  const [, address] = /(?:^|:)url:(.*)/s.exec(conflictingKey) ?? [];
  const isInOtherCase =
    address !== undefined &&
    urls.some((url) => url.toLowerCase().includes(address)) &&
    !urls.some((url) => url.includes(address));
  const note = isInOtherCase ? "; addresses that differ in case alone count as one" : "";
  const reason = `the archive has ${conflictingKey} for another record, or ignores it${note}`;
  addProblem(report.duplicates, { ...document, reason });
}

export function countAlike(report: SourceReport, document: AlikeDocument): void {
  addProblem(report.alike, { ...document, reason: describeAlike(document.delivered) });
}

export function countDelinquent(report: SourceReport, document: DelinquentDocument): void {
  addProblem(report.delinquent, {
    ...document,
    reason: describeFindings(document.findings).join("; "),
  });
}

function addProblem(
  problems: DocumentProblems,
  { title, url, reason }: { title?: string; url: string; reason: string },
): void {
  problems.count += 1;
  if (problems.first.length < maxExamples) problems.first.push({ what: title ?? url, url, reason });
}
