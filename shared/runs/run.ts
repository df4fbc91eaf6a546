import { z } from "zod";
import type { KnownCounts, KnownReason } from "../archive/known-reason.ts";
import { digest } from "../core/digest.ts";
import type { DeliveryMode } from "../sources/source.ts";

/** Live sources go to the library, test sources to its test system; never in one run. */
export const deliveredModes = ["LIVE", "TEST"] as const satisfies DeliveryMode[];

/** A run of the mode `NONE` is a preview: it ends with the validation, and leaves no record and nothing in the archive. */
export const runModes = [...deliveredModes, "NONE"] as const;
export type RunMode = (typeof runModes)[number];

/** The message of the queue of run starts: from a schedule, from an operator, or from `npm start`. */
export const runStart = z
  .object({
    deliveryMode: z.enum(runModes),
    /** ISO 8601. Starts with the same mode and time are the same run. */
    scheduledTime: z.iso.datetime({ offset: true }),
    /** Harvest these sources only; all of the mode when absent. A preview may name sources of any mode. */
    sourceIds: z.array(z.string().min(1)).min(1).optional(),
    /** Of each list of articles take so many of the newest; all when absent. */
    newest: z.number().int().positive().optional(),
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
  /** The source of a long harvest; absent in all other runs. */
  harvestOf?: string;
  state: RunState;
  /** ISO 8601, UTC; so are the other times. */
  startedAt: string;
  /** When the delivery starts with what there is, whatever is still under way. */
  deadlineAt: string;
  finishedAt?: string;
  newest?: number;
  /** Why the pipeline stopped; the next start goes on at that stage. */
  failure?: RunFailure;
}

export interface RunFailure {
  stage: string;
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** In the order in which a run goes through them; `failed` may follow on each. */
export type RunState = "starting" | "harvesting" | "delivering" | "finished" | "failed";

/** Whether a run still takes what its readers find; afterwards it would change what is already told. */
export function acceptsOutcomes(run: Run | undefined): run is Run {
  return run?.state === "starting" || run?.state === "harvesting";
}

/** `live-20261120T190000Z`: the same for the same start. Of previews there may be many at a time: theirs names the sources. */
export function buildRunId(start: Pick<RunStart, "deliveryMode" | "scheduledTime" | "sourceIds">): string {
  const time = new Date(start.scheduledTime).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const id = `${start.deliveryMode.toLowerCase()}-${time}`;
  return start.deliveryMode === "NONE" ? `${id}-${digest(...(start.sourceIds ?? []))}` : id;
}

/** The ids of runs that deliver. */
export const deliveredRunId = /^(live|test)-\d{8}T\d{6}Z$/;

/** How a source fared in a run. */
export interface SourceOutcome {
  sourceId: string;
  title: string;
  state: "read" | "failed";
  /** Why it failed, or what is to be noted of it. */
  reason?: string;
  /** Of a listing that says only where articles may be listed, as how many pages there are: to have read it is no success. */
  isPreparatory?: true;
  /** Of a page of a crawl: how many of its links to pages were not followed, by the limit that kept them. */
  unfollowed?: Record<string, number>;
  /** Of a page of a crawl without any article: what none of its links does, as `matches the extraction expression /a/`. */
  emptyReason?: string;
  /** Entries that the source listed. */
  entries: number;
  /** Of these: not asked for, as the archive knows them. */
  known: KnownCounts;
  /** Of these: asked for. */
  requested: number;
  /** Of these: unusable, with the reason. */
  dropped: { entry: string; reason: string }[];
}

/** The outcome of a source that could not be read at all. */
export function failedSourceOutcome(
  source: { sourceId: string; title: string },
  reason: string,
): SourceOutcome {
  return { ...source, state: "failed", reason, entries: 0, known: {}, requested: 0, dropped: [] };
}

interface ArticleBase {
  requestId: string;
  sourceId: string;
  url: string;
  title?: string;
}

/** A document that became a record, with all that the delivery needs to know of it. */
export interface ConvertedArticle extends ArticleBase {
  state: "converted";
  recordId: string;
  groupId: string;
  hash: string;
  doi?: string;
  /** All addresses that the record gives. */
  urls: string[];
  /** Where the record is kept. */
  recordKey: string;
  /** The keys that the archive knows the record by. */
  archiveKeys: string[];
  warnings: string[];
}

/** What became of a document in a run. */
export type ArticleOutcome =
  | ConvertedArticle
  /** Known to the archive, as its metadata show. */
  | (ArticleBase & { state: "known"; as: KnownReason })
  /** Read, and not fit to become a record. */
  | (ArticleBase & { state: "dropped"; reason: string })
  /** Not to be had from its host. */
  | (ArticleBase & { state: "failed"; reason: string });
