import type { ListingResult } from "./listing-result.ts";
import type {
  DocumentOutcome,
  Run,
  RunFailure,
  RunFigures,
  RunMode,
  RunState,
  SourceOutcome,
} from "./run.ts";
import type { Checkpoint } from "./stages.ts";

/**
 * The sizes of two sets that only grow: the opened and the closed ids. A run, or a source of a run, is complete when
 * the sizes are equal.
 */
export interface Tally {
  opened: number;
  closed: number;
}

/** The outcomes of entries that a listing resolved itself. */
interface ResolvedBatch {
  sourceId: string;
  listingId: string;
  outcomes: DocumentOutcome[];
}

/** Identifies outcomes of a long harvest that a delivery takes together. */
export interface HarvestBatch {
  harvestId: string;
  pageId: string;
}

export interface RunStore {
  /**
   * Creates the run unless it exists.
   * @returns the stored run; the argument itself when this call created it
   */
  create(run: Run): Promise<Run>;
  get(runId: string): Promise<Run | undefined>;
  /** Lists the unfinished runs of a mode, oldest first. A run of the last few seconds may be missing. */
  listUnfinished(mode: RunMode): Promise<Run[]>;
  /**
   * Lists the runs of a mode that started before the run `after`, newest first. A run of the last few seconds may be
   * missing.
   */
  listLatest(mode: RunMode, page: { limit: number; after?: Run | undefined }): Promise<Run[]>;
  /**
   * Changes the state of a run that is in one of the states `from`.
   * @returns `false` when the run is in another state
   */
  changeState(
    runId: string,
    from: RunState[],
    change: { state: RunState; finishedAt?: string; failure?: RunFailure; figures?: RunFigures },
  ): Promise<boolean>;
  /** Adds ids to a tally in one repeatable update. */
  updateTally(runId: string, tally: string, add: { opened?: string[]; closed?: string[] }): Promise<Tally>;
  /** Returns the ids that are open. */
  openIds(runId: string, tally: string): Promise<string[]>;
  /**
   * Claims requests for a listing.
   * @returns the ids that the listing may send; a request to which two listings lead belongs to the first
   */
  claimRequests(
    runId: string,
    sourceId: string,
    claim: { ids: string[]; claimant: string },
  ): Promise<Set<string>>;
  /**
   * Saves the outcome of a listing that leads to no requests. A later call for the same listing does not replace it.
   */
  saveListingOutcome(runId: string, listingId: string, outcome: SourceOutcome): Promise<void>;
  /**
   * Stores the results of a listing, unless they are stored already.
   * @returns the stored result
   */
  storeListingResult(runId: string, listingId: string, listing: ListingResult): Promise<ListingResult>;
  listingResult(runId: string, sourceId: string, listingId: string): Promise<ListingResult | undefined>;
  /** Returns the outcome of each source, merged from its listings. */
  sourceOutcomes(runId: string): Promise<SourceOutcome[]>;
  /**
   * Returns the outcome of one source.
   * @returns undefined when none of its listings has an outcome
   */
  sourceOutcome(runId: string, sourceId: string): Promise<SourceOutcome | undefined>;
  saveOutcome(runId: string, outcome: DocumentOutcome): Promise<void>;
  /**
   * Saves the outcomes that a listing resolved itself, in two writes regardless of their number. The first saved page
   * is kept.
   */
  saveOutcomeBatch(runId: string, page: ResolvedBatch): Promise<void>;
  /** Yields the outcome of each document, page by page. The outcomes of a source are together. */
  outcomeBatches(runId: string): AsyncIterable<DocumentOutcome[]>;
  /** Yields the outcomes of the documents of one source, page by page. */
  outcomesOfSource(runId: string, sourceId: string): AsyncIterable<DocumentOutcome[]>;
  /** Lists the unfinished long harvests of a mode. A harvest of the last few seconds may be missing. */
  listLongHarvests(mode: RunMode): Promise<Run[]>;
  /** Yields the pages of a long harvest that no delivery has taken. */
  undeliveredBatches(runId: string): AsyncIterable<HarvestBatch & { outcomes: DocumentOutcome[] }>;
  loadHarvestBatch(page: HarvestBatch): Promise<DocumentOutcome[]>;
  /** Takes a page for a delivery. */
  markBatchDelivered(page: HarvestBatch, deliveryId: string): Promise<void>;
  /** Reads the result of a finished stage. */
  stageResult<T>(runId: string, stage: Checkpoint): Promise<T | undefined>;
  /**
   * Stores the result of a stage, unless a result is stored.
   * @returns the stored result
   */
  finishStage<T>(runId: string, stage: Checkpoint, result: T): Promise<T>;
  /**
   * Stores a part of a list that is too long for one result.
   * @returns the key of the part
   */
  storePart(runId: string, items: readonly object[]): Promise<string>;
  loadPart<Item>(key: string): Promise<Item[]>;
}
