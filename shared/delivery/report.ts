import { sourcesTally } from "../harvest/completion.ts";
import { failedSource, type Run, type SourceOutcome } from "../harvest/run.ts";
import type { RunStore } from "../ports.ts";
import type { ArchiveResult } from "./archive.ts";
import type { Delivery } from "./delivery.ts";
import type { OverdueResult, OverdueSource } from "./overdue.ts";
import type { UploadResult } from "./upload.ts";
import type { ValidateResult } from "./validate.ts";

/** A document that did not become a delivered record, and why. */
export interface Miss {
  /** Its title, or its URL when it has none. */
  what: string;
  url: string;
  reason: string;
}

/** How one source fared, from its feed to the delivered file. */
export interface SourceReport extends SourceOutcome {
  converted: number;
  delivered: number;
  /** Articles that were asked for and have come to an end, whatever it is. */
  read: number;
  /** Delivered before: by its address in the feed, or by its metadata. */
  alreadyDelivered: number;
  /** The same article as another record, of this run or of one that overlaps. */
  duplicates: number;
  onlineFirst: number;
  delinquent: Miss[];
  /** Read and unfit to become a record; entries of the feed that are unusable among them. */
  unusable: Miss[];
  /** Not to be had from their hosts. */
  unreachable: Miss[];
  /** Asked for, and not answered when the delivery began. */
  unanswered: number;
  /** Converted, with something that should be looked at. */
  warnings: Miss[];
}

/** All that is to be told of a run. */
export interface RunReport {
  run: Run;
  sources: SourceReport[];
  files: Delivery[];
  overdue: OverdueSource[];
  totals: Record<
    | "entries"
    | "converted"
    | "delivered"
    | "alreadyDelivered"
    | "onlineFirst"
    | "delinquent"
    | "unusable"
    | "unreachable",
    number
  >;
}

const tooLate = "no answer before the deadline";

/** Gathers what is known of a run so far: whole when it has finished, in part when it is under way or has failed. */
export async function reportRun(runId: string, runs: RunStore): Promise<RunReport> {
  const run = await runs.get(runId);
  if (run === undefined) throw new Error(`there is no run ${runId}`);
  const [unanswered, told, documents, validated, uploaded, archived, timeliness] = await Promise.all([
    runs.open(runId, sourcesTally),
    runs.sources(runId),
    runs.documents(runId),
    runs.stageResult<ValidateResult>(runId, "validate"),
    runs.stageResult<UploadResult>(runId, "upload"),
    runs.stageResult<ArchiveResult>(runId, "archive"),
    runs.stageResult<OverdueResult>(runId, "overdue"),
  ]);
  const isOver = run.state !== "starting" && run.state !== "harvesting";
  const silent = isOver
    ? unanswered.map((sourceId) => failedSource({ sourceId, title: sourceId }, tooLate))
    : [];
  const isTold = new Set(told.map(({ sourceId }) => sourceId));
  const outcomes = [...told, ...silent.filter(({ sourceId }) => !isTold.has(sourceId))];
  const files = archived === undefined ? [] : (uploaded?.files ?? []);
  const sources = outcomes
    .map((outcome): SourceReport => {
      const ofSource = <T extends { sourceId: string }>(items: T[] = []) =>
        items.filter(({ sourceId }) => sourceId === outcome.sourceId);
      const own = ofSource(documents);
      const unusable = own.filter((document) => document.state === "dropped").map(missOf);
      return {
        ...outcome,
        converted: own.filter(({ state }) => state === "converted").length,
        delivered: ofSource(files.flatMap((file) => file.documents)).length,
        read: own.length,
        alreadyDelivered: outcome.known + own.filter(({ state }) => state === "known").length,
        duplicates: ofSource(uploaded?.duplicates).length,
        onlineFirst: ofSource(validated?.onlineFirst).length,
        delinquent: (validated?.delinquent ?? [])
          .filter(({ document }) => document.sourceId === outcome.sourceId)
          .map(({ document, findings }) => missOf({ ...document, reason: findings.join("; ") })),
        unusable: [
          ...outcome.dropped.map(({ entry, reason }) => ({ what: entry, url: "", reason })),
          ...unusable,
        ],
        unreachable: own.filter((document) => document.state === "failed").map(missOf),
        unanswered: isOver ? Math.max(0, outcome.requested - own.length) : 0,
        warnings: own
          .filter((document) => document.state === "converted")
          .filter(({ warnings }) => warnings.length > 0)
          .map((document) => missOf({ ...document, reason: document.warnings.join("; ") })),
      };
    })
    .sort((a, b) => a.title.localeCompare(b.title));
  const sum = (count: (source: SourceReport) => number) =>
    sources.reduce((total, source) => total + count(source), 0);
  return {
    run,
    sources,
    files: files.map(({ delivery }) => delivery),
    overdue: timeliness?.overdue ?? [],
    totals: {
      entries: sum(({ entries }) => entries),
      converted: sum(({ converted }) => converted),
      delivered: sum(({ delivered }) => delivered),
      alreadyDelivered: sum(({ alreadyDelivered }) => alreadyDelivered),
      onlineFirst: sum(({ onlineFirst }) => onlineFirst),
      delinquent: sum(({ delinquent }) => delinquent.length),
      unusable: sum(({ unusable }) => unusable.length),
      unreachable: sum(({ unreachable }) => unreachable.length),
    },
  };
}

function missOf(document: { title?: string; url: string; reason: string }): Miss {
  return { what: document.title ?? document.url, url: document.url, reason: document.reason };
}
