import { countKnownReasons, type KnownCounts, sumKnownCounts } from "../../archive/known-reason.ts";
import type { ArticleOutcome, SourceOutcome } from "../../runs/run.ts";
import { describeFindings } from "../../validation/finding.ts";
import type { DuplicateArticle } from "../plan/claim.ts";
import type { DelinquentArticle } from "../validate/validate-result.ts";

/** A document that did not become a delivered record, and why. */
export interface ArticleProblem {
  /** Its title, or its URL when it has none. */
  what: string;
  url: string;
  reason: string;
}

/** Documents of one link status: how many, and the first of them. */
export interface ArticleProblems {
  count: number;
  first: ArticleProblem[];
}

/** Of the documents of one link status and source; the rest are counted. */
const maxExamples = 100;

/** How one source fared, from its feed to the delivered file. */
export interface SourceReport extends SourceOutcome {
  converted: number;
  delivered: number;
  /** Valid, and not at the receiver yet. */
  undelivered: number;
  /** Articles that were asked for and have come to an end, whatever it is. */
  read: number;
  /** Left out for what the archive says of its address or metadata. */
  knownToArchive: KnownCounts;
  /** The same article as another record, of this run or of one that overlaps; or ignored by the archive meanwhile. */
  duplicates: ArticleProblems;
  onlineFirst: number;
  /** Refused in an earlier run, released since, and not harvested anew. */
  released: number;
  delinquent: ArticleProblems;
  /** Read and unfit to become a record; entries of the feed that are unusable among them. */
  unusable: ArticleProblems;
  /** Not to be had from their hosts. */
  unreachable: ArticleProblems;
  /** Asked for, and not answered when the delivery began. */
  unanswered: number;
  /** Converted, with something that should be looked at. */
  warnings: ArticleProblems;
}

/** The report of a source of which nothing but its feed is told yet. */
export function newSourceReport(outcome: SourceOutcome): SourceReport {
  const report: SourceReport = {
    ...outcome,
    converted: 0,
    delivered: 0,
    undelivered: 0,
    read: 0,
    knownToArchive: outcome.known,
    duplicates: { count: 0, first: [] },
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

/** Counts what became of a document of the source. */
export function countDocument(report: SourceReport, document: ArticleOutcome): void {
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

/** By its key an operator finds the other record in the archive. */
export function countDuplicate(report: SourceReport, document: DuplicateArticle): void {
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

export function countDelinquent(report: SourceReport, document: DelinquentArticle): void {
  addProblem(report.delinquent, {
    ...document,
    reason: describeFindings(document.findings).join("; "),
  });
}

function addProblem(
  misses: ArticleProblems,
  { title, url, reason }: { title?: string; url: string; reason: string },
): void {
  misses.count += 1;
  if (misses.first.length < maxExamples) misses.first.push({ what: title ?? url, url, reason });
}
