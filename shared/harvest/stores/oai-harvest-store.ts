import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { type OaiHarvestState, type OaiHarvestStore, waitOf } from "../oai-state/harvest-state.ts";

/** A part of the item with the source's status, in one attribute. */
export interface StateItem {
  sourceId: string;
  oaiHarvest?: OaiHarvestState;
}

/** Stores the states of OAI-PMH harvests. `heldIn` lists what a source waits for: see `waitOf`. */
export function oaiHarvestStore(): OaiHarvestStore {
  const states = table<StateItem>({ variable: "sourceStatusTable", key: (sourceId) => ({ sourceId }) });
  return {
    get: async (sourceId) => (await states.get(sourceId))?.oaiHarvest,
    save: (state) => {
      const { sourceId, revision } = state;
      const wait = waitOf(state);
      return states.updateIf(
        sourceId,
        wait === undefined
          ? expression`SET oaiHarvest = ${state} REMOVE heldIn, heldSince`
          : expression`SET oaiHarvest = ${state}, heldIn = ${wait.type}, heldSince = ${wait.since}`,
        revision === 1
          ? expression`attribute_not_exists(oaiHarvest)`
          : expression`oaiHarvest.revision = ${revision - 1}`,
      );
    },
  };
}
