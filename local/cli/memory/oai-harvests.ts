import type { OaiHarvestState, OaiHarvestStore } from "../../../shared/harvest/oai-state/harvest-state.ts";

/** Stores the states of OAI-PMH harvests in memory. */
export function memoryOaiHarvests(states = new Map<string, OaiHarvestState>()): OaiHarvestStore {
  return {
    get: async (sourceId) => structuredClone(states.get(sourceId)),
    save: async (state) => {
      if ((states.get(state.sourceId)?.revision ?? 0) !== state.revision - 1) return false;
      states.set(state.sourceId, structuredClone(state));
      return true;
    },
  };
}
