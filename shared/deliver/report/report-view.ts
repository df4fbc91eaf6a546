import { pluralize } from "../../core/pluralize.ts";
import type { KnownCounts, KnownReason } from "../../records/archive/known-reason.ts";
import type { OverdueSource } from "../../records/runs/overdue-sources.ts";
import { listedOf } from "../../records/runs/source-outcomes.ts";
import type { Drift } from "../quality/drift.ts";
import type { Share } from "../quality/drop.ts";
import { qualityFields } from "../quality/quality-field.ts";
import type { DriftNews } from "../quality/watch-quality.ts";
import type { FileKind, UploadedFile } from "../stage-results/delivery.ts";
import { groupByReason } from "./group-problems.ts";
import type { RunReport } from "./report.ts";
import { isTooLong, shortenText } from "./shorten-text.ts";
import {
  type DocumentProblem,
  type DocumentProblems,
  outcomeCounts,
  type SourceReport,
} from "./source-report.ts";

/**
 * The limits on a mail (10 MB in SES) or a response (6 MB). A report of 641 journals with every kind of problem stays
 * below 4 MB.
 */
const maxProblemsInAll = 2000;

/** The texts of a report, in order, for text and HTML. */
export interface ReportView {
  summary: string;
  /** Set when no source could be reached. */
  outage?: string;
  /** Names the sources that were not finished when the delivery began. */
  late?: string;
  /** The reason why the delivery stopped. */
  stopped?: { stage: string; reason: string };
  /** The files. A file without a URL has not been delivered yet. */
  files: { name: string; url?: string; holds: string }[];
  /** The sources whose records have changed, with the page of each source. */
  quality: { text: string; url?: string }[];
  sources: SourceView[];
  overdue: string[];
}

export interface SourceView {
  title: string;
  /** The reason why the source could not be read; absent when it was read. */
  failed?: string;
  counts: string;
  note?: string;
  lists: { heading: string; misses: DocumentProblem[]; more: number }[];
}

/**
 * Describes a report.
 * @param urls.filesUrl the URL to which the key of a file is appended
 * @param urls.consoleUrl the address of the console; absent when it is not configured
 */
export function describeReport(
  { run, sources, files, waitingFiles, late, overdue, quality = [] }: RunReport,
  { filesUrl, consoleUrl }: { filesUrl: string; consoleUrl?: string | undefined },
): ReportView {
  const missesEach = maxProblemsPerList(sources);
  const outage = describeOutage(sources);
  // Titles come from the run, which contains those that feeds give themselves. The configuration contains their URLs.
  const titles = new Map(sources.map(({ sourceId, title }) => [sourceId, title]));
  return {
    summary: `Run ${run.runId} (${run.deliveryMode}), started ${run.startedAt}.`,
    ...(outage !== undefined && { outage }),
    ...(late !== undefined && { late: describeLate(late, titles, run.deadlineAt) }),
    ...(run.failure && { stopped: { ...run.failure, reason: shortenText(run.failure.reason) } }),
    files: [
      ...files.flatMap((file) => describeFile(file, filesUrl)),
      ...waitingFiles.map(({ key, fileName, documents }) => ({
        name: key ?? fileName,
        holds: `${pluralize(documents.count, "record")}, not delivered yet`,
      })),
    ],
    quality: quality.flatMap((news) => describeNews(news, consoleUrl)),
    sources: sources
      .filter((source) => outage === undefined || hasReleased(source))
      .map((source) => describeSource(source, missesEach)),
    overdue: overdue?.map((late) => describeOverdue(late, titles.get(late.sourceId) ?? late.title)) ?? [
      "Not checked yet.",
    ],
  };
}

/** The minimum number of sources from which an outage is assumed, because fewer sources may be on the same host. */
const minOutageSources = 3;

/**
 * Returns whether no source could be reached. In this case, our own network is at fault, not the hosts of all sources.
 */
export function isOutage(sources: SourceReport[]): boolean {
  const unreachable = sources.filter(({ isUnreachable }) => isUnreachable === true);
  return unreachable.length >= minOutageSources && sources.every(isWithoutAnswer);
}

/** Returns whether a source has not responded at all: its listing, or all of its articles, could not be reached. */
function isWithoutAnswer({ isUnreachable, unreachable, read }: SourceReport): boolean {
  return isUnreachable === true || (read > 0 && unreachable.count === read);
}

/**
 * Returns whether a source that could not be reached has records nevertheless, because operators have released them.
 */
function hasReleased({ released, delivered, undelivered }: SourceReport): boolean {
  return released + delivered + undelivered > 0;
}

/** The maximum number of late sources that are named; the others are counted. */
const maxLateNamed = 20;

function describeLate(
  late: readonly string[],
  titles: ReadonlyMap<string, string>,
  deadlineAt: string,
): string {
  const named = late.slice(0, maxLateNamed).map((sourceId) => shortenText(titles.get(sourceId) ?? sourceId));
  const rest = late.length - named.length;
  const more = rest === 0 ? "" : `, and ${rest} more`;
  const were = late.length === 1 ? "was" : "were";
  return `${pluralize(late.length, "source")} ${were} not finished when the delivery began: ${named.join(", ")}${more}. They are read until ${deadlineAt} at the latest; their articles are delivered with the next run.`;
}

/** Describes an outage in one sentence, instead of one line for each source. */
function describeOutage(sources: SourceReport[]): string | undefined {
  const [first] = sources;
  if (first === undefined || !isOutage(sources)) return undefined;
  const reason = `${first.title}: ${first.reason ?? "no answer"}`;
  return `Our own network was probably down: none of ${sources.length} sources could be reached. The next run reads them. The first of them: ${shortenText(reason)}`;
}

/** Describes a file, and the log that belongs to it. */
function describeFile(
  { key, kind, documents, remarks = [] }: UploadedFile,
  filesUrl: string,
): ReportView["files"] {
  const holds = [`${pluralize(documents.count, "record")}${fileNotes[kind]}`, ...remarks].join(". Note: ");
  const file = { name: key, url: `${filesUrl}${key}`, holds };
  if (kind !== "delinquent") return [file];
  const log = `${key}.log`;
  return [file, { name: log, url: `${filesUrl}${log}`, holds: "why each of them was refused" }];
}

/** Returns the number of problems that are shown in each list, which depends on the number of sources. */
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
  ["claimed", "claimed by another run, not delivered"],
  ["waiting", "still waiting as online-first"],
  ["ignored", "ignored by an operator"],
  ["elsewhere", "delivered elsewhere"],
];

/** Describes the drifts of a source that a run has found, and those that have ended in it. */
function describeNews(
  { sourceId, title, found, recovered }: DriftNews,
  consoleUrl: string | undefined,
): ReportView["quality"] {
  const url =
    consoleUrl === undefined ? {} : { url: `${consoleUrl}/sources/${encodeURIComponent(sourceId)}/quality` };
  const describe = (field: Drift["field"], now: Share, before: Share) =>
    `${qualityFields[field].place} of ${shortenText(title)}: ${now.has} of ${now.of}, was ${before.has} of ${before.of}`;
  return [
    ...found.map(({ field, now, before }) => `${describe(field, now, before)}: its pages have changed`),
    ...recovered.flatMap(({ field, now, recovered }) =>
      recovered === undefined ? [] : [`${describe(field, recovered.share, now)}: recovered`],
    ),
  ].map((text) => ({ text, ...url }));
}

/** Describes the number of records that the archive already contains, by reason, including zeros. */
export function describeKnownCounts(known: KnownCounts): [number, string][] {
  return knownReasonTexts.map(([reason, words]) => [known[reason] ?? 0, words]);
}

/**
 * Describes the figures of a source, in the order of the pipeline. Zeros are omitted, except for the delivered records.
 */
function describeCounts(source: SourceReport): string {
  const figures: [number, string][] = [
    [listedOf(outcomeCounts(source)), "listed"],
    ...describeKnownCounts(source.knownToArchive),
    [source.converted, "converted"],
    [source.duplicates.count, "duplicate, or ignored"],
    [source.unusable.count, "dropped"],
    [source.unreachable.count, "unreachable"],
    [source.unanswered, source.isLate ? "no response yet" : "no response before the deadline"],
    [source.onlineFirst, "online-first, waiting"],
    [source.delinquent.count, "refused"],
    [source.refusedBefore.count, "refused as before"],
    [source.released, "released from an earlier run"],
    [source.undelivered, "not delivered yet"],
  ];
  return [...figures.filter(([n]) => n > 0), [source.delivered, "delivered"]]
    .map(([n, what]) => `${n} ${what}`)
    .join(", ");
}

/** Returns the problems of a source by heading. If `isGroupable` is set, problems with the same reason are grouped. */
function problemLists(
  source: SourceReport,
): { heading: string; misses: DocumentProblems; isGroupable?: boolean }[] {
  return [
    { heading: "Dropped", misses: source.unusable },
    { heading: "Duplicate, or ignored", misses: source.duplicates },
    { heading: "Unavailable from the host", misses: source.unreachable, isGroupable: true },
    { heading: "Delivered possible duplicates", misses: source.alike },
    { heading: "Refused by validation", misses: source.delinquent },
    { heading: "Refused by validation, and reported before", misses: source.refusedBefore },
    { heading: "Converted with a warning", misses: source.warnings, isGroupable: true },
  ].filter(({ misses }) => misses.count > 0);
}

function describeOverdue({ lastDeliveredAt, windowDays }: OverdueSource, title: string): string {
  const last =
    lastDeliveredAt === undefined ? "never delivered" : `last delivered ${lastDeliveredAt.slice(0, 10)}`;
  return `${shortenText(title)}: ${last}, expected every ${pluralize(windowDays, "day")}`;
}

/** Returns the first problems of a list, shortened, and the number of the others. */
export function limitProblems({ count, first }: DocumentProblems, most: number): DocumentProblems {
  return { count, first: first.slice(0, most).map(shortenProblem) };
}

/** Shortens a problem. A URL that is too long to be shown is omitted, because a shortened URL could not be opened. */
function shortenProblem({ what, url, reason }: DocumentProblem): DocumentProblem {
  return { what: shortenText(what), url: isTooLong(url) ? "" : url, reason: shortenText(reason) };
}
