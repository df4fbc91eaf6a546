import { budgets } from "../../core/budgets.ts";
import { dayMs } from "../../core/day.ts";
import { digest } from "../../core/digest.ts";
import { PlatformError } from "../../core/errors.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import { type Completeness, isReadToEnd, type ListProgress } from "../../formats/oai/completeness.ts";
import { isDatestamp } from "../../formats/oai/datestamp.ts";
import type { OaiIdentity } from "../../formats/oai/page.ts";
import type { ListArguments } from "../../formats/oai/request-url.ts";
import type { ListSurvey } from "../../records/documents/reconcile.ts";
import type { Run } from "../../records/runs/run.ts";
import { setsOf } from "../../records/sources/oai-fields.ts";
import type { Source } from "../../records/sources/source.ts";
import type { ListPlan, ListSlices } from "./list-plan.ts";
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

/**
 * Deletions that an operator has to decide on: see `reconcileList`, `deleteVanished` for folders, and `settleMissing` for
 * files of documents.
 */
export interface HeldDeletions {
  /** The harvest whose list lacks the documents. */
  harvestId: string;
  /** OAI-PMH: the mark of the documents that the list has. A folder: the digest of those that it lacks. Files: `since`. */
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
  /** Set when the documents exist, but their files answer 404: `documents` counts files. */
  areFiles?: true;
}

/** Returns the id under which the decisions on missing files of a source are stored, beside those on its documents. */
export function fileHoldsOf(sourceId: string): string {
  return `${filesOfHold}${sourceId}`;
}

/** Returns the source of the id under which decisions are stored. */
export function sourceOfHolds(id: string): string {
  return id.startsWith(filesOfHold) ? id.slice(filesOfHold.length) : id;
}

/** What the ids of held deletions of files begin with. */
export const filesOfHold = "files:";

export interface OaiHarvestStore {
  get(sourceId: string): Promise<OaiHarvestState | undefined>;
  /**
   * Writes the state if the stored one has the revision before this one's; revision 1 if there is none.
   * @returns whether it was written
   */
  save(state: OaiHarvestState): Promise<boolean>;
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

/** Names the list of a source: its repository, format and sets. */
export function listKeyOf({ url, oai }: Pick<Source, "url" | "oai">): string {
  const { metadataPrefix, from } = oai;
  const sets = setsOf(oai).map(({ set = "" }) => set);
  return digest("oai-list", url, metadataPrefix, sets.join(" "), from ?? "");
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
  const { metadataPrefix, from, fullHarvestDays, reconcileBy } = source.oai;
  const sets = setsOf(source.oai).flatMap(({ set }) => set ?? []);
  const [set, ...furtherSets] = sets;
  const isOneList = set === undefined || furtherSets.length > 0;
  const base: ListArguments = { metadataPrefix, ...(!isOneList && { set }) };
  const list = {
    baseUrl: source.url,
    listKey: listKeyOf(source),
    ...(furtherSets.length > 0 && { sets }),
  };
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
  const slices = slicesOf(source, { identity, now });
  const isReconciling =
    known?.lastFullAt !== undefined && !state?.isFullWanted && !isUndelivered(source, known);
  const readsHeaders = isReconciling && reconcileBy === "identifiers" && windowStart !== undefined;
  return {
    ...list,
    args: { ...base, ...(from !== undefined && { from }) },
    ...(slices && { slices }),
    ...(readsHeaders && { identifiers: { changesFrom: windowStart } }),
    isFull: true,
    findsDeletions: known?.lastFullAt !== undefined && (!keepsDeleted || state?.isFullWanted === true),
    expectsRecords: state?.recordsOf === list.listKey,
  };
}

/** Repositories give unknown times as 1970, and the first repositories are of 2001. */
const firstMonth = "2000-01";

/** The slices of a full list; undefined for a source that has none. */
function slicesOf(
  { oai: { slice, from } }: Pick<Source, "oai">,
  { identity, now }: { identity: OaiIdentity | undefined; now: Date },
): ListSlices | undefined {
  if (slice === "none") return undefined;
  const last = now.toISOString().slice(0, 10);
  const stated = [from ?? identity?.earliestDatestamp].find((day) => isDatestamp(day ?? "")) ?? firstMonth;
  const begin = stated > firstMonth && stated <= last ? stated : firstMonth;
  const first = slice === "year" ? `${begin.slice(0, 4)}-01` : begin.slice(0, 7);
  return { unit: slice, first, last, isInSeconds: identity?.granularity.includes("hh") === true };
}

/** One granule before a time; undefined for what is not a time: then the whole list is read. */
function granuleBefore(responseDate: string, granularity: string | undefined): string | undefined {
  const ms = Date.parse(responseDate);
  if (Number.isNaN(ms)) return undefined;
  if (!granularity?.includes("hh")) return new Date(ms - dayMs).toISOString().slice(0, 10);
  return `${new Date(ms - 1000).toISOString().slice(0, 19)}Z`;
}

/** Returns the state to save after a list. */
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
    isRecordsWanted?: boolean | undefined;
    /** See `countShift`. */
    shifted: ShiftedLists | undefined;
    responseDate: string | undefined;
    progress: ListProgress;
    startedAt: string;
    at: string;
  },
): OaiHarvestState {
  const { harvestId, plan, completeness, progress, startedAt, at } = list;
  const { reconciled: _done, shifted: _before, ...before } = state;
  const { listKey } = plan;
  const found = {
    ...(list.shifted && { shifted: list.shifted }),
    ...(progress.records > 0 && { recordsOf: listKey }),
  };
  const last = { harvestId, completeness: shortened(completeness), at };
  const isRead = isReadToEnd(completeness);
  // A list that shifted shows which documents to ask for, once another one of the same source was read.
  const isOfUse = isRead || (completeness.type === "shifting" && before.listKey === listKey);
  if (!isOfUse) return { ...before, last, ...found };
  const {
    responseDate: _window,
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
  // A list that shifted has not settled what it lacks: what an operator has released waits for another full list.
  const stillReleased = isSettled ? undefined : releasedDeletions;
  const isOfHeaders = plan.identifiers !== undefined;
  const isStillWanted =
    isAskedAgain ||
    list.isRecordsWanted ||
    (isFullWanted && (!plan.isFull || isOfHeaders || !isRead || stillReleased !== undefined));
  const { responseDate } = list;
  return {
    ...kept,
    last,
    listKey,
    ...found,
    ...(responseDate !== undefined && { responseDate }),
    ...(plan.isFull && isRead && { lastFullAt: startedAt }),
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
export interface SourceWithHeldDeletions
  extends Pick<HeldDeletions, "since" | "documents" | "of" | "areFiles"> {
  sourceId: string;
}

/** Lists the sources with missing files, the first of which was missed before this time, and that no operator has to decide on. */
export type ListMissingFiles = (before: string, limit: number) => Promise<string[]>;
