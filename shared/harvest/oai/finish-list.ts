import type { Clock } from "../../core/clock.ts";
import { digest } from "../../core/digest.ts";
import { ThrottledError } from "../../core/errors.ts";
import type { KeepPorts } from "../../documents/keep-documents.ts";
import { deleteUnlisted } from "../../documents/reconcile.ts";
import type { Events } from "../../events/events.ts";
import type { ListTransition } from "../../oai/list-state.ts";
import { harvestIdOf } from "../../runs/long-harvest.ts";
import type { Run } from "../../runs/run.ts";
import type { Source } from "../../sources/source.ts";
import {
  afterList,
  changeHarvestState,
  type ListPlan,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "./harvest-state.ts";

export interface FinishListPorts {
  kept: KeepPorts | undefined;
  /** Takes note that the list of a source has been read, whose set is published. */
  setRegistrations: { send(message: { sourceId: string }): Promise<void> };
  oaiHarvests: OaiHarvestStore;
  events: Events;
  clock: Clock;
}

/**
 * Ends a list: deletes what a complete list does not have, then moves the window, then has a published set registered. A
 * source that is read once is closed. Repeatable.
 */
export async function finishList(
  list: {
    source: Source;
    harvest: Run;
    plan: ListPlan;
    end: Extract<ListTransition, { type: "end" }>;
    listedAt: string;
  },
  ports: FinishListPorts,
): Promise<void> {
  const { source, harvest, plan, end, listedAt } = list;
  const { sourceId } = source;
  const { runId: harvestId, startedAt } = harvest;
  const { completeness, state: listState } = end;
  if (completeness.type === "complete" && plan.findsDeletions && ports.kept !== undefined) {
    await reconcile({ sourceId, harvestId, listedAt }, { ...ports, kept: ports.kept });
  }
  const { last } = await changeHarvestState(
    sourceId,
    async (state) =>
      state.last?.harvestId === harvestId || !isHarvestOf(state, harvestId)
        ? undefined
        : afterList(state, {
            harvestId,
            plan,
            completeness,
            progress: listState.progress,
            startedAt,
            at: ports.clock.now().toISOString(),
          }),
    ports.oaiHarvests,
  );
  const isRead = last?.harvestId === harvestId && last.completeness.type === "complete";
  if (isRead && source.reading?.mode === "synchronous") {
    const changeId = digest("source.closed", sourceId, harvestId);
    const detail = { sourceUri: `/sources/${sourceId}`, sourceId };
    await ports.events.publish({ type: "source.closed", changeId, detail });
  }
  const isPublished = source.audiences !== undefined;
  if (isRead && isPublished) await ports.setRegistrations.send({ sourceId });
}

/** A list that was read has documents left to look at. What has been done is noted. */
export class UnfinishedList extends ThrottledError {}

/** Two minutes before the reader's own end: a page of deletions takes seconds. */
const maxReconcileMs = 180_000;

/** How many pages of documents are looked at between two checkpoints. */
const checkpointPages = 25;

/**
 * Deletes the documents that a complete list does not have. It goes on where an earlier invocation has ended.
 * @throws UnfinishedList when there are too many for one invocation
 */
async function reconcile(
  { sourceId, ...listing }: { sourceId: string; harvestId: string; listedAt: string },
  { kept, oaiHarvests, clock }: FinishListPorts & { kept: KeepPorts },
): Promise<void> {
  const { harvestId } = listing;
  const untilMs = clock.now().getTime() + maxReconcileMs;
  const known = (await oaiHarvests.get(sourceId))?.reconciled;
  const begin = known?.harvestId === harvestId ? known.after : undefined;
  let pages = 0;
  for await (const { after } of deleteUnlisted(sourceId, { ...listing, after: begin }, kept)) {
    pages += 1;
    const isOver = clock.now().getTime() >= untilMs;
    if (after === undefined || (!isOver && pages % checkpointPages !== 0)) continue;
    const reconciled = { harvestId, after };
    await changeHarvestState(sourceId, async (state) => ({ ...state, reconciled }), oaiHarvests);
    if (isOver)
      throw new UnfinishedList(
        `source ${sourceId}: documents that its list lacks are still being deleted`,
        clock.now(),
      );
  }
}

/** Whether a harvest is the latest one of its source: the source may have been deleted, and added again. */
function isHarvestOf({ sourceId, startedBy }: OaiHarvestState, harvestId: string): boolean {
  return startedBy !== undefined && harvestIdOf(sourceId, startedBy) === harvestId;
}
