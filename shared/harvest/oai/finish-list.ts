import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { type Completeness, isReadToEnd } from "../../formats/oai/completeness.ts";
import type { ListTransition } from "../../formats/oai/list-state.ts";
import type { KeepPorts } from "../../records/documents/keep-documents.ts";
import type { Events } from "../../records/events/events.ts";
import { harvestIdOf } from "../../records/runs/long-harvest.ts";
import type { Run } from "../../records/runs/run.ts";
import { readingOf } from "../../records/sources/reading.ts";
import type { Source } from "../../records/sources/source.ts";
import {
  afterList,
  changeHarvestState,
  type HeldDeletions,
  type ListPlan,
  noteDelivery,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";
import { listMarkOf, reconcileList } from "./reconcile-list.ts";

export interface FinishListPorts {
  kept: KeepPorts | undefined;
  /** Takes note that the list of a source has been read, whose set is published. */
  setRegistrations: { send(message: { sourceId: string }): Promise<void> };
  oaiHarvests: OaiHarvestStore;
  events: Events;
  clock: Clock;
}

interface EndedList {
  source: Source;
  harvest: Run;
  plan: ListPlan;
  end: Extract<ListTransition, { type: "end" }>;
  listedAt: string;
}

/**
 * Ends a list: deletes what a complete list does not have, or holds these deletions when they are too many, then moves the
 * window, then has a published set registered. A source that is read once is closed. Repeatable.
 * @throws UnfinishedList when there are too many documents to look at in one invocation
 */
export async function finishList(list: EndedList, ports: FinishListPorts): Promise<void> {
  const { source, harvest, plan, end } = list;
  const { sourceId } = source;
  const { runId: harvestId, startedAt } = harvest;
  const { completeness, held } = await judgeDeletions(list, ports);
  const { last, heldDeletions } = await changeHarvestState(
    sourceId,
    async (state) =>
      state.last?.harvestId === harvestId || !isHarvestOf(state, harvestId)
        ? undefined
        : afterList(noteDelivery(state, harvest, completeness), {
            harvestId,
            plan,
            completeness,
            held,
            progress: end.state.progress,
            startedAt,
            at: ports.clock.now().toISOString(),
          }),
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

/** Deletes what the list lacks, unless it must not. What has been decided before is not decided again. */
async function judgeDeletions(
  { source: { sourceId }, harvest: { runId: harvestId }, plan, end, listedAt }: EndedList,
  { kept, oaiHarvests, clock }: FinishListPorts,
): Promise<{ completeness: Completeness; held?: HeldDeletions }> {
  const { completeness, state: listState } = end;
  if (completeness.type !== "complete" || !plan.findsDeletions || kept === undefined) return { completeness };
  const state = await oaiHarvests.get(sourceId);
  // A message that is delivered again late must not delete by an old list.
  if (state === undefined || state.last?.harvestId === harvestId || !isHarvestOf(state, harvestId))
    return { completeness };
  const mark = listMarkOf(harvestId, listState);
  const list = { sourceId, harvestId, mark, listedAt, progress: listState.progress };
  const result = await reconcileList(list, { kept, oaiHarvests, clock });
  if (result.type === "shifting") return { completeness: result };
  return result.type === "held" ? { completeness, held: result.deletions } : { completeness };
}

async function publishHeld(
  sourceId: string,
  { harvestId, documents, of, since }: HeldDeletions,
  { events }: FinishListPorts,
): Promise<void> {
  const changeId = digest("source.deletions-held", sourceId, harvestId);
  const detail = { sourceUri: `/sources/${sourceId}`, sourceId, documents, of, at: since };
  await events.publish({ type: "source.deletions-held", changeId, detail });
}

/** Whether a harvest is the latest one of its source: the source may have been deleted, and added again. */
function isHarvestOf({ sourceId, startedBy }: OaiHarvestState, harvestId: string): boolean {
  return startedBy !== undefined && harvestIdOf(sourceId, startedBy) === harvestId;
}
