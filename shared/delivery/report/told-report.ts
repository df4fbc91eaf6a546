import { counted } from "../../core/counted.ts";
import type { KnownCounts, KnownReason } from "../../harvest/known.ts";
import type { FileKind, UploadedFile } from "../plan/delivery.ts";
import { groupAlike } from "./alike.ts";
import type { OverdueSource } from "./overdue.ts";
import type { RunReport } from "./report.ts";
import { isTooLong, shortened } from "./shortened.ts";
import type { Miss, Misses, SourceReport } from "./source-report.ts";

/**
 * What a mail or an answer can hold: SES takes 10 MB, an answer 6 MB, and people read less. With 641 journals that all fail in
 * all ways it stays below 4 MB.
 */
const missesInAll = 2000;

/** A report in words, in the order in which it is told, whatever it is told in. */
export interface ToldReport {
  about: string;
  /** Why the delivery stopped. */
  stopped?: { stage: string; reason: string };
  /** Those without a URL are not out yet. */
  files: { name: string; url?: string; holds: string }[];
  sources: ToldSource[];
  overdue: string[];
}

export interface ToldSource {
  title: string;
  /** Absent when the source was read. */
  failed?: string;
  figures: string;
  note?: string;
  lists: { heading: string; misses: Miss[]; more: number }[];
}

/** @param filesUrl the address to which a file's key is appended */
export function tell(
  { run, sources, files, waitingFiles, overdue }: RunReport,
  filesUrl: string,
): ToldReport {
  const missesEach = mostMisses(sources);
  return {
    about: `Run ${run.runId} (${run.deliveryMode}), started ${run.startedAt}.`,
    ...(run.failure && { stopped: { ...run.failure, reason: shortened(run.failure.reason) } }),
    files: [
      ...files.flatMap((file) => tellFile(file, filesUrl)),
      ...waitingFiles.map(({ key, fileName, documents }) => ({
        name: key ?? fileName,
        holds: `${counted(documents.count, "record")}, not delivered yet`,
      })),
    ],
    sources: sources.map((source) => tellSource(source, missesEach)),
    overdue: overdue?.map(tellOverdue) ?? ["Not checked yet."],
  };
}

/** A file, and what stands beside it. */
function tellFile(
  { key, kind, documents, remarks = [] }: UploadedFile,
  filesUrl: string,
): ToldReport["files"] {
  const holds = [`${counted(documents.count, "record")}${fileNotes[kind]}`, ...remarks].join(". Note: ");
  const file = { name: key, url: `${filesUrl}${key}`, holds };
  if (kind !== "delinquent") return [file];
  const log = `${key}.log`;
  return [file, { name: log, url: `${filesUrl}${log}`, holds: "why each of them was refused" }];
}

/** How many misses of each list of these sources are told. */
export function mostMisses(sources: SourceReport[]): number {
  const lists = sources.flatMap(missesOf).length;
  return Math.max(1, Math.floor(missesInAll / Math.max(1, lists)));
}

const fileNotes: Record<FileKind, string> = {
  valid: "",
  onlineFirst: ", online-first, kept here",
  delinquent: ", refused by validation, kept here",
};

function tellSource(source: SourceReport, missesEach: number): ToldSource {
  const { title, state, reason } = source;
  return {
    title: shortened(title),
    ...(state === "failed" && { failed: shortened(reason ?? "no reason given") }),
    figures: figuresOf(source),
    ...(reason !== undefined && { note: shortened(reason) }),
    lists: missesOf(source).map(({ heading, misses, areAlike = false }) => {
      const { count, first } = shortMisses(misses, missesEach);
      return { heading, misses: areAlike ? groupAlike(first) : first, more: count - first.length };
    }),
  };
}

const knownAs: [KnownReason, string][] = [
  ["delivered", "delivered before"],
  ["waiting", "still waiting as online-first"],
  ["ignored", "ignored by an operator"],
  ["elsewhere", "delivered elsewhere"],
];

/** How many records were left out as the archive knows them, and as what: zeros among them. */
export function knownFigures(known: KnownCounts): [number, string][] {
  return knownAs.map(([reason, words]) => [known[reason] ?? 0, words]);
}

/** The figures of a source, in the order in which they come about. Zeros are left out, but for what was delivered. */
function figuresOf(source: SourceReport): string {
  const figures: [number, string][] = [
    [source.entries, "listed"],
    ...knownFigures(source.knownToArchive),
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

/** What is to be looked at of a source, with headings; `areAlike`: many for one reason are told as one. */
function missesOf(source: SourceReport): { heading: string; misses: Misses; areAlike?: boolean }[] {
  return [
    { heading: "Dropped", misses: source.unusable },
    { heading: "The same as another, or ignored", misses: source.duplicates },
    { heading: "Not to be had from the host", misses: source.unreachable, areAlike: true },
    { heading: "Delinquent (refused by validation)", misses: source.delinquent },
    { heading: "Converted with a warning", misses: source.warnings, areAlike: true },
  ].filter(({ misses }) => misses.count > 0);
}

function tellOverdue({ title, lastDeliveredAt, windowDays }: OverdueSource): string {
  const last =
    lastDeliveredAt === undefined ? "never delivered" : `last delivered ${lastDeliveredAt.slice(0, 10)}`;
  return `${shortened(title)}: ${last}, expected every ${counted(windowDays, "day")}`;
}

/** Misses with so many of the first of them, at most, cut to a readable length. */
export function shortMisses({ count, first }: Misses, most: number): Misses {
  return { count, first: first.slice(0, most).map(shortMiss) };
}

/** A URL that is too long to be shown is too long to be followed, too. */
function shortMiss({ what, url, reason }: Miss): Miss {
  return { what: shortened(what), url: isTooLong(url) ? "" : url, reason: shortened(reason) };
}
