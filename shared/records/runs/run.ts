import * as z from "zod";
import { digest } from "../../core/digest.ts";
import type { PageText } from "../../formats/page/page-text.ts";
import type { KnownCounts, KnownReason } from "../archive/known-reason.ts";
import type { OriginFinding } from "../origin/origin-finding.ts";
import type { OriginSummary } from "../origin/origin-summary.ts";
import type { Provenance } from "../origin/provenance.ts";
import type { DeliveryMode } from "../sources/delivery-mode.ts";
import type { OutcomeCounts } from "./source-outcomes.ts";

/** The modes that deliver: live sources to the library, test sources to its test system. A run never contains both. */
export const deliveredModes = ["LIVE", "TEST"] as const satisfies DeliveryMode[];

/**
 * The modes of runs. A run of the mode `NONE` is a preview: it ends after the validation, and stores neither records
 * nor archive entries. A long harvest of the mode `NONE` stores documents, and no delivery takes them.
 */
export const runModes = [...deliveredModes, "NONE"] as const;
export type RunMode = (typeof runModes)[number];

/** The message that starts a run. It is sent to the queue of run starts by a schedule, an operator, or `npm start`. */
export const runStart = z
  .object({
    deliveryMode: z.enum(runModes),
    /** ISO 8601. Starts with the same mode and time are the same run. */
    scheduledTime: z.iso.datetime({ offset: true }),
    /** The sources to harvest; if absent, all sources of the mode. A preview may contain sources of any mode. */
    sourceIds: z.array(z.string().min(1)).min(1).optional(),
    /** The number of newest articles to take from each list; if absent, all. */
    newest: z.number().int().positive().optional(),
    /** Set for a run without a soft deadline, because somebody waits for all of its sources. */
    waitsForAll: z.literal(true).optional(),
  })
  .refine(({ deliveryMode, sourceIds }) => deliveryMode !== "NONE" || sourceIds !== undefined, {
    path: ["sourceIds"],
    message: "a preview must name its sources",
  });
export type RunStart = z.output<typeof runStart>;

/** A harvest with its delivery, from start to end, or a long harvest. */
export interface Run {
  runId: string;
  deliveryMode: RunMode;
  /** The source of a long harvest, or the run of a late harvest. Absent in all other runs. */
  harvestOf?: string;
  /** Set for a long harvest whose documents deliveries take only after its list has been read. */
  joinsWhenComplete?: boolean;
  state: RunState;
  /** ISO 8601 in UTC, like the other times. */
  startedAt: string;
  /**
   * When the delivery starts with the finished articles; late sources are read until `deadlineAt`. If absent, the
   * delivery waits for all sources, until `deadlineAt`.
   */
  softDeadlineAt?: string;
  /** When the delivery starts, even if nothing is finished. Nothing is read after this time. */
  deadlineAt: string;
  finishedAt?: string;
  newest?: number;
  /**
   * Set for a run that an operator started. The key consists of its mode and sources, so starts of other sources do not
   * join the run.
   */
  startKey?: string;
  /** The reason why the delivery stopped. The next start resumes at the failed stage. */
  failure?: RunFailure;
  /** Set when the run has finished. */
  figures?: RunFigures;
}

/** The results of a run, counted in articles. `listed` is the sum of the outcomes. */
export type RunFigures = OutcomeCounts & { listed: number };

export interface RunFailure {
  stage: string;
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** The states, in the order of a run. `failed` may follow each of them. */
export type RunState = "starting" | "harvesting" | "delivering" | "finished" | "failed";

/** Returns whether a run still accepts the results of its readers. Later outcomes would contradict its report. */
export function acceptsOutcomes(run: Run | undefined): run is Run {
  return run?.state === "starting" || run?.state === "harvesting";
}

/**
 * Builds the id of a run, such as `live-20261120T190000Z`. The same start yields the same id. Many previews may start
 * at once, so their ids also depend on their sources.
 */
export function buildRunId(start: Pick<RunStart, "deliveryMode" | "scheduledTime" | "sourceIds">): string {
  const time = new Date(start.scheduledTime).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const id = `${start.deliveryMode.toLowerCase()}-${time}`;
  return start.deliveryMode === "NONE" ? `${id}-${digest(...(start.sourceIds ?? []))}` : id;
}

/** Matches the ids of runs that deliver. */
export const deliveredRunId = /^(live|test)-\d{8}T\d{6}Z$/;

/** The outcome, in a run, of a source or of one of its listings. */
export interface SourceOutcome {
  sourceId: string;
  title: string;
  state: "read" | "failed";
  /** The reason why it failed, or a note. */
  reason?: string;
  /** Set when it failed because no host responded. */
  isUnreachable?: true;
  /**
   * Set for a listing without articles, such as a page count. Reading such a listing does not make the source a
   * success.
   */
  isPreparatory?: true;
  /** For a crawled page, the number of links that were not followed, by the limit that was reached. */
  unfollowed?: Record<string, number>;
  /**
   * For a crawled page without articles, the condition that none of its links meets, such as `matches the extraction
   * expression /a/`.
   */
  emptyReason?: string;
  /** The number of entries that the source listed. */
  entries: number;
  /** The number of entries that the archive knows, and that were therefore not requested. */
  known: KnownCounts;
  /** The number of entries that were requested. */
  requested: number;
  /**
   * The entries that are unusable, with the reason. `count` is the number of entries that an item represents, if it is
   * not one.
   */
  dropped: { entry: string; reason: string; count?: number }[];
}

/** Returns the outcome of a source that could not be read at all. */
export function failedSourceOutcome(
  { sourceId, title }: { sourceId: string; title: string },
  reason: string,
  { isUnreachable }: { isUnreachable: boolean } = { isUnreachable: false },
): SourceOutcome {
  const failure = { state: "failed" as const, reason, ...(isUnreachable && { isUnreachable }) };
  return { sourceId, title, ...failure, entries: 0, known: {}, requested: 0, dropped: [] };
}

interface DocumentBase {
  /** The id of the request for the document. For an entry that its listing resolved, the id from `listedDocumentId`. */
  requestId: string;
  sourceId: string;
  url: string;
  title?: string;
  /** The text of its page; only in previews. */
  page?: PageText;
}

/** A document that was converted to a record, with all data that the delivery needs. */
export interface ConvertedDocument extends DocumentBase {
  state: "converted";
  recordId: string;
  groupId: string;
  hash: string;
  doi?: string;
  /** All URLs of the record. */
  urls: string[];
  /** The key of the record's object. */
  recordKey: string;
  /** The archive keys of the record, without its entry key. */
  archiveKeys: string[];
  /**
   * The key by which the archive may recognise the article under another host. Absent when too little is known about
   * the article.
   */
  matchKey?: string;
  warnings: string[];
  /** What is remarkable about the origin of its metadata. */
  originFindings?: OriginFinding[];
  /** What lists show of the origin of its fields. */
  origin?: OriginSummary;
  /** The origin of its fields; only in previews, because the record has it otherwise. */
  provenance?: Provenance;
}

/** The outcome of a document in a run. */
export type DocumentOutcome =
  | ConvertedDocument
  /** The archive knows the document, as its metadata show. */
  | (DocumentBase & { state: "known"; as: KnownReason })
  /** The document was read, but cannot be used as a record. */
  | (DocumentBase & { state: "dropped"; reason: string })
  /** The host did not provide the document. */
  | (DocumentBase & { state: "failed"; reason: string });
