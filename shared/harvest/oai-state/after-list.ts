import { budgets } from "../../core/budgets.ts";
import { truncateToBytes } from "../../core/truncate-text.ts";
import { type Completeness, isReadToEnd, type ListProgress } from "../../formats/oai/completeness.ts";
import type { Run } from "../../records/runs/run.ts";
import type { OaiHarvestState } from "./harvest-state.ts";
import type { HeldDeletions } from "./held-deletions.ts";
import type { ListPlan } from "./list-plan.ts";
import type { ShiftedLists } from "./shifted-lists.ts";

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

/** Returns the state to save after a list. */
export function afterList(
  state: OaiHarvestState,
  list: {
    harvestId: string;
    plan: ListPlan;
    completeness: Completeness;
    /** Deletions of this list that an operator has to decide on. */
    held?: HeldDeletions | undefined;
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
    outage: outageBefore,
    ...kept
  } = before.listKey === listKey ? before : withoutList(before);
  const outage = plan.findsDeletions ? list.outage : outageBefore;
  const isAskedAgain = plan.findsDeletions && outage !== undefined && outageBefore === undefined;
  const isSettled = plan.findsDeletions && completeness.type === "complete" && !isAskedAgain;
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
