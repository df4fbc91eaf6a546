import type { KnownCounts, KnownReason } from "../../archive/known-reason.ts";
import { pluralize } from "../../core/pluralize.ts";
import type { FileKind, UploadedFile } from "../plan/delivery.ts";
import { groupByReason } from "./group-problems.ts";
import type { OverdueSource } from "./overdue.ts";
import type { RunReport } from "./report.ts";
import { isTooLong, shortenText } from "./shorten-text.ts";
import type { ArticleProblem, ArticleProblems, SourceReport } from "./source-report.ts";

/**
 * What a mail or an answer can hold: SES takes 10 MB, an answer 6 MB, and people read less. With 641 journals that all fail in
 * all ways it stays below 4 MB.
 */
const maxProblemsInAll = 2000;

/** A report in words, in the order in which it is told, whatever it is told in. */
export interface ReportView {
  summary: string;
  /** Why the delivery stopped. */
  stopped?: { stage: string; reason: string };
  /** Those without a URL are not out yet. */
  files: { name: string; url?: string; holds: string }[];
  sources: SourceView[];
  overdue: string[];
}

export interface SourceView {
  title: string;
  /** Absent when the source was read. */
  failed?: string;
  counts: string;
  note?: string;
  lists: { heading: string; misses: ArticleProblem[]; more: number }[];
}

/** @param filesUrl the address to which a file's key is appended */
export function describeReport(
  { run, sources, files, waitingFiles, overdue }: RunReport,
  filesUrl: string,
): ReportView {
  const missesEach = maxProblemsPerList(sources);
  return {
    summary: `Run ${run.runId} (${run.deliveryMode}), started ${run.startedAt}.`,
    ...(run.failure && { stopped: { ...run.failure, reason: shortenText(run.failure.reason) } }),
    files: [
      ...files.flatMap((file) => describeFile(file, filesUrl)),
      ...waitingFiles.map(({ key, fileName, articles }) => ({
        name: key ?? fileName,
        holds: `${pluralize(articles.count, "record")}, not delivered yet`,
      })),
    ],
    sources: sources.map((source) => describeSource(source, missesEach)),
    overdue: overdue?.map(describeOverdue) ?? ["Not checked yet."],
  };
}

/** A file, and what stands beside it. */
function describeFile(
  { key, kind, articles, remarks = [] }: UploadedFile,
  filesUrl: string,
): ReportView["files"] {
  const holds = [`${pluralize(articles.count, "record")}${fileNotes[kind]}`, ...remarks].join(". Note: ");
  const file = { name: key, url: `${filesUrl}${key}`, holds };
  if (kind !== "delinquent") return [file];
  const log = `${key}.log`;
  return [file, { name: log, url: `${filesUrl}${log}`, holds: "why each of them was refused" }];
}

/** How many misses of each list of these sources are told. */
export function maxProblemsPerList(sources: SourceReport[]): number {
  const lists = sources.flatMap(problemLists).length;
  return Math.max(1, Math.floor(maxProblemsInAll / Math.max(1, lists)));
}

const fileNotes: Record<FileKind, string> = {
  valid: "",
  onlineFirst: ", online-first, kept here",
  delinquent: ", refused by validation, kept here",
};

function describeSource(source: SourceReport, missesEach: number): SourceView {
  const { title, state, reason } = source;
  return {
    title: shortenText(title),
    ...(state === "failed" && { failed: shortenText(reason ?? "no reason given") }),
    counts: describeCounts(source),
    ...(reason !== undefined && { note: shortenText(reason) }),
    lists: problemLists(source).map(({ heading, misses, isGroupable = false }) => {
      const { count, first } = limitProblems(misses, missesEach);
      return { heading, misses: isGroupable ? groupByReason(first) : first, more: count - first.length };
    }),
  };
}

const knownReasonTexts: [KnownReason, string][] = [
  ["delivered", "delivered before"],
  ["waiting", "still waiting as online-first"],
  ["ignored", "ignored by an operator"],
  ["elsewhere", "delivered elsewhere"],
];

/** How many records were left out as the archive knows them, and as what: zeros among them. */
export function describeKnownCounts(known: KnownCounts): [number, string][] {
  return knownReasonTexts.map(([reason, words]) => [known[reason] ?? 0, words]);
}

/** The figures of a source, in the order in which they come about. Zeros are left out, but for what was delivered. */
function describeCounts(source: SourceReport): string {
  const figures: [number, string][] = [
    [source.entries, "listed"],
    ...describeKnownCounts(source.knownToArchive),
    [source.converted, "converted"],
    [source.duplicates.count, "the same as another, or ignored"],
    [source.unusable.count, "dropped"],
    [source.unreachable.count, "unreachable"],
    [source.unanswered, "not answered before the deadline"],
    [source.onlineFirst, "online-first, waiting"],
    [source.delinquent.count, "delinquent"],
    [source.released, "released from an earlier run"],
    [source.undelivered, "not delivered yet"],
  ];
  return [...figures.filter(([n]) => n > 0), [source.delivered, "delivered"]]
    .map(([n, what]) => `${n} ${what}`)
    .join(", ");
}

/** What is to be looked at of a source, with headings; `isGroupable`: many for one reason are told as one. */
function problemLists(
  source: SourceReport,
): { heading: string; misses: ArticleProblems; isGroupable?: boolean }[] {
  return [
    { heading: "Dropped", misses: source.unusable },
    { heading: "The same as another, or ignored", misses: source.duplicates },
    { heading: "Not to be had from the host", misses: source.unreachable, isGroupable: true },
    { heading: "Delinquent (refused by validation)", misses: source.delinquent },
    { heading: "Converted with a warning", misses: source.warnings, isGroupable: true },
  ].filter(({ misses }) => misses.count > 0);
}

function describeOverdue({ title, lastDeliveredAt, windowDays }: OverdueSource): string {
  const last =
    lastDeliveredAt === undefined ? "never delivered" : `last delivered ${lastDeliveredAt.slice(0, 10)}`;
  return `${shortenText(title)}: ${last}, expected every ${pluralize(windowDays, "day")}`;
}

/** Misses with so many of the first of them, at most, cut to a readable length. */
export function limitProblems({ count, first }: ArticleProblems, most: number): ArticleProblems {
  return { count, first: first.slice(0, most).map(shortenProblem) };
}

/** A URL that is too long to be shown is too long to be followed, too. */
function shortenProblem({ what, url, reason }: ArticleProblem): ArticleProblem {
  return { what: shortenText(what), url: isTooLong(url) ? "" : url, reason: shortenText(reason) };
}
