import {
  changeHarvestState,
  type OaiHarvestState,
  type OaiHarvestStore,
} from "../oai-state/harvest-state.ts";

/** What an operator decides on held deletions. `release`: they may happen. `drop`: the documents stay. */
export const deletionDecisions = ["release", "drop"] as const;
type DeletionDecision = (typeof deletionDecisions)[number];

/**
 * Decides on the deletions that are held of a source. Released ones happen when the next full list, which is wanted then, or the
 * folder lacks the documents, too. A repeated decision changes nothing; `drop` also takes a release back that has not happened.
 * @param given.harvestId names what the operator has seen: a later list may lack other documents
 * @returns `decided`: the state after it; `gone`: nothing is held, or another list's deletions are
 */
export async function decideDeletions(
  sourceId: string,
  { harvestId, decision }: { harvestId: string; decision: DeletionDecision },
  { oaiHarvests }: { oaiHarvests: OaiHarvestStore },
): Promise<"decided" | "gone"> {
  const isOf = (state: OaiHarvestState) => state.heldDeletions?.harvestId === harvestId;
  let isKnown = false;
  await changeHarvestState(
    sourceId,
    async (state) => {
      isKnown = isOf(state);
      const { heldDeletions, releasedDeletions, ...others } = state;
      if (!isKnown || heldDeletions === undefined) return undefined;
      if (decision === "drop") {
        const { isFullWanted: _wanted, ...dropped } = others;
        const { mark: droppedMark } = heldDeletions;
        // The release wanted the whole list.
        return { ...(releasedDeletions === undefined ? others : dropped), droppedMark };
      }
      if (releasedDeletions?.harvestId === harvestId) return undefined;
      return { ...others, heldDeletions, releasedDeletions: heldDeletions, isFullWanted: true };
    },
    oaiHarvests,
  );
  return isKnown ? "decided" : "gone";
}
