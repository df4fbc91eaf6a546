import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { sourcesByHeldDeletionsIndex } from "../../names.ts";
import { type ListHeldDeletions, type ListMissingFiles, sourceOfHolds } from "../oai-state/held-deletions.ts";
import type { StateItem } from "./oai-harvest-store.ts";

/** Lists the sources whose deletions `oai-harvest-store.ts` marks as held, latest first. */
export function heldDeletions(): ListHeldDeletions {
  const states = table<StateItem>({ variable: "sourceStatusTable", key: (sourceId) => ({ sourceId }) });
  return async (limit) => {
    const where = expression`heldIn = ${"held"}`;
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
        if (held === undefined || oaiHarvest?.releasedDeletions !== undefined) return [];
        const { since, documents, of, areFiles } = held;
        return [{ sourceId: sourceOfHolds(sourceId), since, documents, of, ...(areFiles && { areFiles }) }];
      })
      .sort((a, b) => (a.since > b.since ? -1 : 1));
  };
}

/** Lists the sources that `oai-harvest-store.ts` marks as having missing files, the first missed one first. */
export function missingFiles(): ListMissingFiles {
  const states = table<StateItem>({ variable: "sourceStatusTable", key: (sourceId) => ({ sourceId }) });
  return async (before, limit) => {
    const where = expression`heldIn = ${"missing"} AND heldSince < ${before}`;
    const keys = await states.query({ index: sourcesByHeldDeletionsIndex, where }).first(limit);
    return keys.map(({ sourceId }) => sourceOfHolds(sourceId));
  };
}
