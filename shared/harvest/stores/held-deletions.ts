import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { sourcesByHeldDeletionsIndex } from "../../names.ts";
import type { ListHeldDeletions } from "../oai-state/harvest-state.ts";
import { heldIn, type StateItem } from "./oai-harvest-store.ts";

/** Lists the sources whose deletions `oai-harvest-store.ts` marks as held, latest first. */
export function heldDeletions(): ListHeldDeletions {
  const states = table<StateItem>({ variable: "sourceStatusTable", key: (sourceId) => ({ sourceId }) });
  return async (limit) => {
    const where = expression`heldIn = ${heldIn}`;
    const keys = await states
      .query({ index: sourcesByHeldDeletionsIndex, where, isDescending: true })
      .first(limit);
    const items = await states.getMany(
      keys.map(({ sourceId }) => sourceId),
      { isConsistent: false, attributes: ["sourceId", "oaiHarvest"] },
    );
    return items
      .flatMap(({ sourceId, oaiHarvest }) => {
        const held = oaiHarvest?.heldDeletions;
        return held === undefined || oaiHarvest?.releasedDeletions !== undefined
          ? []
          : [{ sourceId, since: held.since, documents: held.documents, of: held.of }];
      })
      .sort((a, b) => (a.since > b.since ? -1 : 1));
  };
}
