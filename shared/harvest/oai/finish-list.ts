import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { type Completeness, isReadToEnd, judgeShift } from "../../formats/oai/completeness.ts";
import type { ListTransition } from "../../formats/oai/list-state.ts";
import type { KeepPorts } from "../../records/documents/keep-documents.ts";
import type { Events } from "../../records/events/events.ts";
import { harvestIdOf } from "../../records/runs/long-harvest.ts";
import type { Run } from "../../records/runs/run.ts";
import { readingOf } from "../../records/sources/reading.ts";
import type { Source } from "../../records/sources/source.ts";
import { afterList, noteDelivery } from "../oai-state/after-list.ts";
import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import type { HeldDeletions } from "../oai-state/held-deletions.ts";
import type { ListPlan } from "../oai-state/list-plan.ts";
import { publishHeld } from "../oai-state/publish-held.ts";
import { countShift } from "../oai-state/shifted-lists.ts";
import { beginConfirmation, type Confirmation } from "./confirm-deletions.ts";
import { believedCompleteness, countMiscount } from "./miscounts.ts";
import { type FullList, listMarkOf, maxReconcileMs, reconcileList } from "./reconcile-list.ts";

export interface FinishListPorts {
  kept: KeepPorts | undefined;
  /** Takes note that the list of a source has been read, whose set is published. */
  setRegistrations: { send(message: { sourceId: string }): Promise<void> };
  oaiHarvests: OaiHarvestStore;
  events: Events;
  clock: Clock;
}

export interface EndedList {
  source: Source;
  harvest: Run;
  plan: ListPlan;
  end: Extract<ListTransition, { type: "end" }>;
  listedAt: string;
}

/** How a list ended, after all that it lacks was looked at. */
export interface ListOutcome {
  completeness: Completeness;
  /** Deletions that an operator has to decide on. */
  held?: HeldDeletions | undefined;
  /** As in the state of the harvests. */
  outage?: string | undefined;
  /** The next full list has to read all records. */
  isRecordsWanted?: boolean | undefined;
}

/**
 * Ends a list: moves the window, says which deletions are held, has a published set registered. A source that is read once is
 * closed. Repeatable.
 */
export async function finishList(
  list: EndedList,
  { completeness, ...found }: ListOutcome,
  ports: FinishListPorts,
): Promise<void> {
  const { source, harvest, plan, end } = list;
  const { sourceId } = source;
  const { runId: harvestId, startedAt } = harvest;
  const { progress } = end.state;
  const endedState = (state: OaiHarvestState): OaiHarvestState => {
    const shift = countShift(state, { plan, completeness, progress, startedAt });
    const counted = countMiscount(state, plan, end.completeness);
    const at = ports.clock.now().toISOString();
    const ended = { harvestId, plan, ...found, ...shift, progress, startedAt, at };
    return afterList(noteDelivery(counted, harvest, shift.completeness), ended);
  };
  const { last, heldDeletions } = await changeHarvestState(
    sourceId,
    async (state) =>
      state.last?.harvestId === harvestId || !isHarvestOf(state, harvestId) ? undefined : endedState(state),
    ports.oaiHarvests,
  );
  if (heldDeletions?.harvestId === harvestId) await publishHeld(sourceId, heldDeletions, ports);
  const isRead = last?.harvestId === harvestId && isReadToEnd(last.completeness);
  if (isRead && readingOf(source)?.mode === "synchronous") {
    const changeId = digest("source.closed", sourceId, harvestId);
    const detail = { sourceUri: `/sources/${sourceId}`, sourceId };
    await ports.events.publish({ type: "source.closed", changeId, detail });
  }
  const isPublished = source.audiences !== undefined;
  if (isRead && isPublished) await ports.setRegistrations.send({ sourceId });
}

/**
 * Decides what to do about the documents that a list lacks: to end the list, or to ask for some of them first. What has been
 * decided before is not decided again.
 * @throws UnfinishedList when there are too many documents to look at in one invocation
 */
export async function judgeDeletions(
  list: EndedList,
  { kept, oaiHarvests, clock }: FinishListPorts,
): Promise<ListOutcome | { confirmation: Confirmation }> {
  const { source, harvest, plan, end } = list;
  const state = await oaiHarvests.get(source.sourceId);
  // A message that comes again late must not delete by an old list.
  const isLate = state?.last?.harvestId === harvest.runId || !state || !isHarvestOf(state, harvest.runId);
  const completeness = isLate
    ? end.completeness
    : judgeShift(believedCompleteness(end.completeness, plan, state), end.state.progress);
  const isWhole = completeness.type === "complete" || completeness.type === "shifting";
  if (isLate || !isWhole || !plan.findsDeletions || kept === undefined) return { completeness };
  const full = fullListOf(list, { clock });
  const result = await reconcileList(full, { kept, oaiHarvests, clock });
  switch (result.type) {
    case "settled":
    case "shifting":
      return { completeness };
    case "held":
      return { completeness, held: result.deletions };
    case "unconfirmed": {
      const { type: _type, ...absent } = result;
      const begun = { stated: end.completeness, completeness, ...absent };
      const confirmation = await beginConfirmation(full, begun, { kept, oaiHarvests, clock });
      return confirmation === undefined ? { completeness } : { confirmation };
    }
  }
}

/** The list of a harvest as the documents are compared with it in this invocation. */
export function fullListOf(
  { source, harvest, end, listedAt }: EndedList,
  { clock }: Pick<FinishListPorts, "clock">,
): FullList {
  const { progress } = end.state;
  const mark = listMarkOf(harvest, end.state);
  const { sourceId, deletions: limits } = source;
  const untilMs = clock.now().getTime() + maxReconcileMs;
  return { sourceId, harvestId: harvest.runId, mark, listedAt, progress, limits, untilMs };
}

/** Whether a harvest is the latest one of its source: the source may have been deleted, and added again. */
function isHarvestOf({ sourceId, startedBy }: OaiHarvestState, harvestId: string): boolean {
  return startedBy !== undefined && harvestIdOf(sourceId, startedBy) === harvestId;
}
