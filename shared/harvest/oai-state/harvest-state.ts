import { PlatformError } from "../../core/errors.ts";
import type { Completeness } from "../../formats/oai/completeness.ts";
import type { ListSurvey } from "../../records/documents/reconcile.ts";
import type { Run } from "../../records/runs/run.ts";
import type { HeldDeletions } from "./held-deletions.ts";
import type { ShiftedLists } from "./shifted-lists.ts";

/** What is known of the harvests of a source, between them. */
export interface OaiHarvestState {
  sourceId: string;
  /** Counts the writes: a write on an older state is refused. */
  revision: number;
  /** The start that the source's harvest belongs to: one reader per source. */
  startedBy?: Pick<Run, "runId" | "deliveryMode" | "startedAt">;
  /** Which list the following fields are of; another list starts again. */
  listKey?: string;
  /**
   * When the last complete list began: the responseDate of its first page, or our time where that is earlier, so that a clock
   * that is wrong by years does not lose years. Absent when the responseDate is unreadable.
   */
  responseDate?: string;
  /** The list that has had records, even if it was not complete: see `listKeyOf`. */
  recordsOf?: string;
  /** When the last complete list of all records began. ISO 8601, UTC. */
  lastFullAt?: string;
  /** The last list was read for its documents alone: a delivery needs the whole list. */
  isKeptOnly?: true;
  /** An operator wants the whole list. */
  isFullWanted?: true;
  /** How far a harvest has looked for documents that its list does not have: a large source takes several invocations. */
  reconciled?: {
    harvestId: string;
    after?: string | undefined;
    survey?: ListSurvey;
    isDeleting?: true;
    /** The id of the document up to which those to be asked for have been looked for, and in how many turns. */
    lookedUpTo?: { after?: string | undefined; turns: number };
  };
  /**
   * Why the repository could not be asked for documents that the last full list lacks. The first time, the whole list is
   * wanted again, and what an operator has released stays so; after that, such documents count as unanswered.
   */
  outage?: string;
  /** Sizes of lists that the repository states wrongly, time and again. */
  miscounts?: Partial<Record<ListScope, Miscount>>;
  /** The lists in a row that shifted: they are read again. */
  shifted?: ShiftedLists;
  /** What the last full list lacks and nothing deletes before an operator has decided. */
  heldDeletions?: HeldDeletions;
  /** The held deletions that an operator has released: the next full list deletes what it lacks, too. */
  releasedDeletions?: HeldDeletions;
  /** The mark of the deletions that an operator has dropped: a folder that lacks the same documents holds them no more. */
  droppedMark?: string;
  /** When the first missing file of the source was missed that is not decided: see `settleMissing`. */
  missingSince?: string;
  /** No file was missing when the day of `missingSince` began. */
  isQuiet?: true;
  /** The files that were missing then are within the limits: they are being deleted. */
  settlesUntil?: string;
  /** How the last list ended; `isStopped` by an operator. */
  last?: { harvestId: string; completeness: Completeness; at: string; isStopped?: true };
}

/** Whether a list is one of all records, or of those that have changed. */
export type ListScope = "full" | "changes";

/** Lists that have ended with fewer records than their completeListSize, always by the same number. */
export interface Miscount {
  announced: number;
  read: number;
  /** How many lists in a row. */
  times: number;
}

export interface OaiHarvestStore {
  get(sourceId: string): Promise<OaiHarvestState | undefined>;
  /**
   * Writes the state if the stored one has the revision before this one's; revision 1 if there is none.
   * @returns whether it was written
   */
  save(state: OaiHarvestState): Promise<boolean>;
}

const maxTries = 20;

/**
 * Changes the state of a source's harvests on its latest version.
 * @param change undefined when there is nothing to change
 * @returns the state after it
 */
export async function changeHarvestState(
  sourceId: string,
  change: (state: OaiHarvestState) => Promise<OaiHarvestState | undefined>,
  store: OaiHarvestStore,
): Promise<OaiHarvestState> {
  for (let tries = 1; ; tries += 1) {
    const state = (await store.get(sourceId)) ?? { sourceId, revision: 0 };
    const changed = await change(state);
    if (changed === undefined) return state;
    const next = { ...changed, revision: state.revision + 1 };
    if (await store.save(next)) return next;
    if (tries >= maxTries) throw new PlatformError(`the harvest of ${sourceId} is being changed by others`);
  }
}

/**
 * Returns what a source waits for, and since when: `held` for an operator who decides on deletions, `missing` for
 * `settleMissing`. Deletions whose event is not published are not listed as held.
 */
export function waitOf({
  heldDeletions,
  releasedDeletions,
  missingSince,
}: OaiHarvestState): { type: "held" | "missing"; since: string } | undefined {
  const isHeld =
    heldDeletions !== undefined && releasedDeletions === undefined && !heldDeletions.isUnpublished;
  if (isHeld) return { type: "held", since: heldDeletions.since };
  return missingSince === undefined ? undefined : { type: "missing", since: missingSince };
}
