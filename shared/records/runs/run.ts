import * as z from "zod";
import { digest } from "../../core/digest.ts";
import type { PageText } from "../../formats/page/page-text.ts";
import type { KnownCounts, KnownReason } from "../archive/known-reason.ts";
import type { DeliveryMode } from "../sources/delivery-mode.ts";
import type { OutcomeCounts } from "./source-outcomes.ts";

/** Live sources are delivered to the library, test sources to its test system, never in one run. */
export const deliveredModes = ["LIVE", "TEST"] as const satisfies DeliveryMode[];

/**
 * A run of the mode `NONE` is a preview: it ends after the validation, and stores no record and no archive entry. A
 * long harvest of the mode keeps documents, and no delivery takes it.
 */
export const runModes = [...deliveredModes, "NONE"] as const;
export type RunMode = (typeof runModes)[number];

/** The message of the queue of run starts, sent by a schedule, an operator, or `npm start`. */
export const runStart = z
  .object({
    deliveryMode: z.enum(runModes),
    /** ISO 8601. Starts with the same mode and time are the same run. */
    scheduledTime: z.iso.datetime({ offset: true }),
    /** The sources to harvest; all of the mode when absent. A preview may name sources of any mode. */
    sourceIds: z.array(z.string().min(1)).min(1).optional(),
    /** How many of the newest articles to take of each list; all when absent. */
    newest: z.number().int().positive().optional(),
    /** Set for a run without a soft deadline: somebody waits for all of its sources. */
    waitsForAll: z.literal(true).optional(),
  })
  .refine(({ deliveryMode, sourceIds }) => deliveryMode !== "NONE" || sourceIds !== undefined, {
    path: ["sourceIds"],
    message: "a preview must name its sources",
  });
export type RunStart = z.output<typeof runStart>;

/** One harvest and delivery from start to end, or a long harvest. */
export interface Run {
  runId: string;
  deliveryMode: RunMode;
  /** The source of a long harvest, or the run of a late harvest; absent in all other runs. */
  harvestOf?: string;
  /** Set for a long harvest: no delivery takes its documents before its list has been read. */
  joinsWhenComplete?: boolean;
  state: RunState;
  /** ISO 8601, UTC; so are the other times. */
  startedAt: string;
  /** When the delivery starts with what is finished; late sources are read until `deadlineAt`. Absent: only then. */
  softDeadlineAt?: string;
  /** When the delivery starts, even if nothing is finished; nothing is read later. */
  deadlineAt: string;
  finishedAt?: string;
  newest?: number;
  /** Set for a run that an operator started: names its mode and sources. Starts of other sources do not join it. */
  startKey?: string;
  /** Why the delivery stopped. The next start continues at that stage. */
  failure?: RunFailure;
  /** Set when the run has finished. */
  figures?: RunFigures;
}

/** The results of a run, in articles: `listed` is the sum of the outcomes. */
export type RunFigures = OutcomeCounts & { listed: number };

export interface RunFailure {
  stage: string;
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** In the order of a run; `failed` may follow each of them. */
export type RunState = "starting" | "harvesting" | "delivering" | "finished" | "failed";

/** Whether a run still accepts what its readers find. Later outcomes would contradict its report. */
export function acceptsOutcomes(run: Run | undefined): run is Run {
  return run?.state === "starting" || run?.state === "harvesting";
}

/**
 * Such as `live-20261120T190000Z`; the same for the same start. Many previews may start at once, so theirs includes the
 * sources.
 */
export function buildRunId(start: Pick<RunStart, "deliveryMode" | "scheduledTime" | "sourceIds">): string {
  const time = new Date(start.scheduledTime).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const id = `${start.deliveryMode.toLowerCase()}-${time}`;
  return start.deliveryMode === "NONE" ? `${id}-${digest(...(start.sourceIds ?? []))}` : id;
}

/** The ids of runs that deliver. */
export const deliveredRunId = /^(live|test)-\d{8}T\d{6}Z$/;

/** The outcome of a source, or of one of its listings, in a run. */
export interface SourceOutcome {
  sourceId: string;
  title: string;
  state: "read" | "failed";
  /** Why it failed, or a note. */
  reason?: string;
  /** Set when it failed because no host answered. */
  isUnreachable?: true;
  /**
   * Set for a listing that lists no articles, such as a page count: to have read it does not make the source a success.
   */
  isPreparatory?: true;
  /** For a crawled page, the number of its links that were not followed, by limit. */
  unfollowed?: Record<string, number>;
  /**
   * For a crawled page without articles, the condition that none of its links meets, such as `matches the extraction
   * expression /a/`.
   */
  emptyReason?: string;
  /** Entries that the source listed. */
  entries: number;
  /** Those that are known to the archive, and not requested. */
  known: KnownCounts;
  /** Those that were requested. */
  requested: number;
  /** Those that are unusable, with the reason. `count`: how many it stands for, if not for one. */
  dropped: { entry: string; reason: string; count?: number }[];
}

/** The outcome of a source that could not be read at all. */
export function failedSourceOutcome(
  { sourceId, title }: { sourceId: string; title: string },
  reason: string,
  { isUnreachable }: { isUnreachable: boolean } = { isUnreachable: false },
): SourceOutcome {
  const failure = { state: "failed" as const, reason, ...(isUnreachable && { isUnreachable }) };
  return { sourceId, title, ...failure, entries: 0, known: {}, requested: 0, dropped: [] };
}

interface DocumentBase {
  /** The request for it; of an entry that its listing resolved, its `listedDocumentId`. */
  requestId: string;
  sourceId: string;
  url: string;
  title?: string;
  /** What its page says; in previews alone. */
  page?: PageText;
}

/** A document that became a record, with all that the delivery needs. */
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
   * The key by which the archive perhaps knows the article under another host; absent when too little is known of it.
   */
  matchKey?: string;
  warnings: string[];
}

/** The outcome of a document in a run. */
export type DocumentOutcome =
  | ConvertedDocument
  /** Its metadata show that the archive knows it. */
  | (DocumentBase & { state: "known"; as: KnownReason })
  /** Read, but unusable as a record. */
  | (DocumentBase & { state: "dropped"; reason: string })
  /** Its host did not provide it. */
  | (DocumentBase & { state: "failed"; reason: string });
