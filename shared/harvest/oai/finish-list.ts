import type { Clock } from "../../core/clock.ts";
import type { ListTransition } from "../../oai/list-state.ts";
import type { Run } from "../../runs/run.ts";
import type { Source } from "../../sources/source.ts";
import { afterList, changeHarvestState, type ListPlan, type OaiHarvestStore } from "./harvest-state.ts";

export interface FinishListPorts {
  oaiHarvests: OaiHarvestStore;
  documents: {
    /** Makes tombstones of the documents that a complete full harvest has not listed. Repeatable. */
    deleteUnlisted(sourceId: string, harvest: { harvestId: string; listedAt: string }): Promise<void>;
  };
  clock: Clock;
}

/** Ends a list: deletes what a complete list does not have, then moves the window. Repeatable. */
export async function finishList(
  list: {
    source: Source;
    harvest: Run;
    plan: ListPlan;
    end: Extract<ListTransition, { type: "end" }>;
    listedAt: string;
  },
  { oaiHarvests, documents, clock }: FinishListPorts,
): Promise<void> {
  const { source, harvest, plan, end, listedAt } = list;
  const { sourceId } = source;
  const { runId: harvestId, startedAt } = harvest;
  const { completeness, state: listState } = end;
  if (completeness.type === "complete" && plan.findsDeletions) {
    await documents.deleteUnlisted(sourceId, { harvestId, listedAt });
  }
  await changeHarvestState(
    sourceId,
    async (state) =>
      state.last?.harvestId === harvestId
        ? undefined
        : afterList(state, source, {
            harvestId,
            plan,
            completeness,
            progress: listState.progress,
            startedAt,
            at: clock.now().toISOString(),
          }),
    oaiHarvests,
  );
}
