import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import type { OaiHarvestState, OaiHarvestStore } from "../oai-state/harvest-state.ts";

/** The key of the sparse index of sources whose deletions are held. */
export const heldIn = "held";

/** A part of the item with the source's status, in one attribute. */
export interface StateItem {
  sourceId: string;
  oaiHarvest?: OaiHarvestState;
}

/** Stores the states of OAI-PMH harvests. `heldIn` is set while an operator has to decide on deletions. */
export function oaiHarvestStore(): OaiHarvestStore {
  const states = table<StateItem>({ variable: "sourceStatusTable", key: (sourceId) => ({ sourceId }) });
  return {
    get: async (sourceId) => (await states.get(sourceId))?.oaiHarvest,
    save: (state) => {
      const { sourceId, revision, heldDeletions, releasedDeletions } = state;
      const heldSince = releasedDeletions === undefined ? heldDeletions?.since : undefined;
      return states.updateIf(
        sourceId,
        heldSince === undefined
          ? expression`SET oaiHarvest = ${state} REMOVE heldIn, heldSince`
          : expression`SET oaiHarvest = ${state}, heldIn = ${heldIn}, heldSince = ${heldSince}`,
        revision === 1
          ? expression`attribute_not_exists(oaiHarvest)`
          : expression`oaiHarvest.revision = ${revision - 1}`,
      );
    },
  };
}
