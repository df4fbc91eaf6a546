import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { OaiHarvestState, OaiHarvestStore } from "../oai-state/harvest-state.ts";

/** The keys of the sparse index of sources whose deletions are held, and of those with missing files. */
export const heldIn = "held";
export const missingIn = "missing";

/** A part of the item with the source's status, in one attribute. */
export interface StateItem {
  sourceId: string;
  oaiHarvest?: OaiHarvestState;
}

/** Stores the states of OAI-PMH harvests. `heldIn` is set while an operator has to decide on deletions, or files are missing. */
export function oaiHarvestStore(): OaiHarvestStore {
  const states = table<StateItem>({ variable: "sourceStatusTable", key: (sourceId) => ({ sourceId }) });
  return {
    get: async (sourceId) => (await states.get(sourceId))?.oaiHarvest,
    save: (state) => {
      const { sourceId, revision, heldDeletions, releasedDeletions } = state;
      const isHeld = heldDeletions !== undefined && releasedDeletions === undefined;
      const heldSince = isHeld ? heldDeletions.since : state.missingSince;
      return states.updateIf(
        sourceId,
        heldSince === undefined
          ? expression`SET oaiHarvest = ${state} REMOVE heldIn, heldSince`
          : expression`SET oaiHarvest = ${state}, heldIn = ${isHeld ? heldIn : missingIn}, heldSince = ${heldSince}`,
        revision === 1
          ? expression`attribute_not_exists(oaiHarvest)`
          : expression`oaiHarvest.revision = ${revision - 1}`,
      );
    },
  };
}
