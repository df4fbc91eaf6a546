import { budgets } from "../../core/budgets.ts";
import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { PlatformError } from "../../core/errors.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import { type Completeness, isReadToEnd, type ListProgress } from "../../formats/oai/completeness.ts";
import type { OaiIdentity } from "../../formats/oai/page.ts";
import type { ListArguments } from "../../formats/oai/request-url.ts";
import type { ListSurvey } from "../../records/documents/reconcile.ts";
import type { Run } from "../../records/runs/run.ts";
import type { Source } from "../../records/sources/source.ts";

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
  /** Whether a list has had records. */
  hasRecords?: boolean;
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
    /** The id of the document up to which those to be asked for have been looked for. */
    lookedUpTo?: string | undefined;
  };
  /** The id of the document up to which the repository was asked for those that the last full list lacks. */
  askedUpTo?: string;
  /**
   * Why the repository could not be asked for documents that the last full list lacks. The first time, the whole list is
   * wanted again, and what an operator has released stays so; after that, such documents count as unanswered.
   */
  outage?: string;
  /** Sizes of lists that the repository states wrongly, time and again. */
  miscounts?: Partial<Record<ListScope, Miscount>>;
  /** What the last full list lacks and nothing deletes before an operator has decided. */
  heldDeletions?: HeldDeletions;
  /** The held deletions that an operator has released: the next full list deletes what it lacks, too. */
  releasedDeletions?: HeldDeletions;
  /** The mark of the deletions that an operator has dropped: a folder that lacks the same documents holds them no more. */
  droppedMark?: string;
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

/** The documents that are named to the operator who decides. */
export const maxExamples = 10;

/** Deletions that an operator has to decide on: see `reconcileList`, and `deleteVanished` for folders. */
export interface HeldDeletions {
  /** The harvest whose list lacks the documents. */
  harvestId: string;
  /** OAI-PMH: the mark of the documents that the list has. A folder: the digest of those that it lacks. */
  mark: string;
  /** ISO 8601, UTC. */
  since: string;
  /** The documents that it lacks, and those that the source had. */
  documents: number;
  of: number;
  /** The identifiers of some of them. */
  examples: string[];
  /** Set when nothing shows that they are gone, as the repository does not answer GetRecord: why. */
  unconfirmed?: string;
}

export interface OaiHarvestStore {
  get(sourceId: string): Promise<OaiHarvestState | undefined>;
  /**
   * Writes the state if the stored one has the revision before this one's; revision 1 if there is none.
   * @returns whether it was written
   */
  save(state: OaiHarvestState): Promise<boolean>;
}

/** What a harvest lists. It stays as it was planned when its source is changed meanwhile. */
export interface ListPlan {
  /** The source's URL. */
  baseUrl: string;
  /** See `listKeyOf`. */
  listKey: string;
  args: ListArguments;
  /** All records, not only changed ones. */
  isFull: boolean;
  /** Records that a complete list does not have are gone. */
  findsDeletions: boolean;
  /** Whether a list without records is suspicious. */
  expectsRecords: boolean;
}

/** Whether a source delivers, and its list has been read for its documents alone: the mode was `NONE`. */
export function isUndelivered(
  { deliveryMode }: Partial<Pick<Source, "deliveryMode">>,
  state: Pick<OaiHarvestState, "isKeptOnly"> | undefined,
): boolean {
  return state?.isKeptOnly === true && deliveryMode !== "NONE";
}

/** The state with the note whether its lists have been read for their documents alone, after one more harvest. */
export function noteDelivery(
  state: OaiHarvestState,
  { deliveryMode }: Pick<Run, "deliveryMode">,
  completeness: Completeness,
): OaiHarvestState {
  if (deliveryMode === "NONE") return { ...state, isKeptOnly: true };
  const { isKeptOnly: _before, ...delivered } = state;
  return isReadToEnd(completeness) ? delivered : state;
}

/** Names the list of a source: its repository, format and set. */
export function listKeyOf({ url, oai: { metadataPrefix, set, from } }: Pick<Source, "url" | "oai">): string {
  return digest("oai-list", url, metadataPrefix, set ?? "", from ?? "");
}

/**
 * Plans a list: what has changed since the first page of the last complete list, with one granule of overlap; or all
 * records, for the first time and, where deleted records are not kept forever, from time to time.
 * @param identity undefined when the repository did not answer Identify usably; then only days are safe
 * @see https://www.openarchives.org/OAI/openarchivesprotocol.html#DeletedRecords
 */
export function planList(
  source: Pick<Source, "url" | "oai"> & Partial<Pick<Source, "deliveryMode">>,
  {
    state,
    identity,
    now,
  }: { state: OaiHarvestState | undefined; identity: OaiIdentity | undefined; now: Date },
): ListPlan {
  const { metadataPrefix, set, from, fullHarvestDays } = source.oai;
  const base: ListArguments = { metadataPrefix, ...(set !== undefined && { set }) };
  const list = { baseUrl: source.url, listKey: listKeyOf(source) };
  const known = state?.listKey === list.listKey ? state : undefined;
  const keepsDeleted = identity?.deletedRecord === "persistent";
  const windowStart = known?.responseDate && granuleBefore(known.responseDate, identity?.granularity);
  const fullMs = fullHarvestDays * dayMs;
  const isFullDue =
    !keepsDeleted && fullMs > 0 && now.getTime() - Date.parse(known?.lastFullAt ?? "") >= fullMs;
  if (windowStart !== undefined && !isFullDue && !state?.isFullWanted && !isUndelivered(source, known)) {
    const args = { ...base, from: windowStart };
    return { ...list, args, isFull: false, findsDeletions: false, expectsRecords: false };
  }
  return {
    ...list,
    args: { ...base, ...(from !== undefined && { from }) },
    isFull: true,
    findsDeletions: known?.lastFullAt !== undefined && (!keepsDeleted || state?.isFullWanted === true),
    expectsRecords: known?.hasRecords === true,
  };
}

/** One granule before a time; undefined for what is not a time: then the whole list is read. */
function granuleBefore(responseDate: string, granularity: string | undefined): string | undefined {
  const ms = Date.parse(responseDate);
  if (Number.isNaN(ms)) return undefined;
  if (!granularity?.includes("hh")) return new Date(ms - dayMs).toISOString().slice(0, 10);
  return `${new Date(ms - 1000).toISOString().slice(0, 19)}Z`;
}

/** The state after a list, to be saved: only one that was read to its end moves the window. */
export function afterList(
  state: OaiHarvestState,
  list: {
    harvestId: string;
    plan: ListPlan;
    completeness: Completeness;
    /** Deletions of this list that an operator has to decide on. */
    held?: HeldDeletions | undefined;
    askedUpTo?: string | undefined;
    outage?: string | undefined;
    progress: ListProgress;
    startedAt: string;
    at: string;
  },
): OaiHarvestState {
  const { harvestId, plan, completeness, progress, startedAt, at } = list;
  const { reconciled: _done, ...before } = state;
  const last = { harvestId, completeness: shortened(completeness), at };
  if (!isReadToEnd(completeness)) return { ...before, last };
  const { listKey } = plan;
  const {
    responseDate: _before,
    isFullWanted,
    heldDeletions,
    releasedDeletions,
    askedUpTo: askedBefore,
    outage: outageBefore,
    ...kept
  } = before.listKey === listKey ? before : withoutList(before);
  const outage = plan.findsDeletions ? list.outage : outageBefore;
  const isAskedAgain = plan.findsDeletions && outage !== undefined && outageBefore === undefined;
  const isSettled = plan.findsDeletions && completeness.type === "complete" && !isAskedAgain;
  const askedUpTo = plan.findsDeletions ? (isAskedAgain ? undefined : list.askedUpTo) : askedBefore;
  const stillHeld = isSettled ? list.held : heldDeletions;
  // A list that shifted has deleted nothing: what an operator has released waits for another full list.
  const stillReleased = isSettled ? undefined : releasedDeletions;
  const isStillWanted = isAskedAgain || (isFullWanted && (!plan.isFull || stillReleased !== undefined));
  const responseDate = windowBegin(progress.responseDate, startedAt);
  return {
    ...kept,
    last,
    listKey,
    ...(responseDate !== undefined && { responseDate }),
    ...((kept.hasRecords || progress.records > 0) && { hasRecords: true }),
    ...(plan.isFull && { lastFullAt: startedAt }),
    ...(isStillWanted && { isFullWanted: true }),
    ...(outage !== undefined && { outage }),
    ...(stillHeld && { heldDeletions: stillHeld }),
    ...(askedUpTo !== undefined && { askedUpTo }),
    ...(stillReleased && { releasedDeletions: stillReleased }),
  };
}

/** The reason may be the repository's own text. */
function shortened(completeness: Completeness): Completeness {
  return completeness.type === "interrupted"
    ? { ...completeness, reason: truncateToBytes(completeness.reason, budgets.reasonBytes) }
    : completeness;
}

/** The earlier one of the repository's time and ours; undefined when the repository's is unreadable. */
function windowBegin(responseDate: string | undefined, startedAt: string): string | undefined {
  const ms = Date.parse(responseDate ?? "");
  if (Number.isNaN(ms)) return undefined;
  return ms <= Date.parse(startedAt) ? responseDate : startedAt;
}

function withoutList(state: OaiHarvestState): OaiHarvestState {
  const { sourceId, revision, startedBy, isFullWanted, isKeptOnly, listKey, miscounts } = state;
  return {
    sourceId,
    revision,
    ...(startedBy && { startedBy }),
    ...(isFullWanted && { isFullWanted }),
    ...(isKeptOnly && { isKeptOnly }),
    // Counted before any list was complete.
    ...(listKey === undefined && miscounts && { miscounts }),
  };
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

/** Those of all sources, the latest ones first. */
export type ListHeldDeletions = (limit: number) => Promise<SourceWithHeldDeletions[]>;

/** A source whose last full list lacks too many documents to delete them before an operator decides. */
export interface SourceWithHeldDeletions extends Pick<HeldDeletions, "since" | "documents" | "of"> {
  sourceId: string;
}
