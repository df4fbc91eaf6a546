import { getItem, updateIf } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import type { OaiHarvestState, OaiHarvestStore } from "../oai-state/harvest-state.ts";

/** The key of the sparse index of sources whose deletions are held. */
export const heldIn = "held";

/**
 * The states of OAI-PMH harvests: one attribute of the item with the source's status. `heldIn` is set while an operator has
 * to decide on deletions.
 */
export function oaiHarvestStore(): OaiHarvestStore {
  const TableName = variable("sourceStatusTable");
  return {
    async get(sourceId) {
      const item = await getItem<{ oaiHarvest?: OaiHarvestState }>({
        TableName,
        Key: { sourceId },
        ConsistentRead: true,
      });
      return item?.oaiHarvest;
    },
    save: (state) => {
      const { heldDeletions, releasedDeletions } = state;
      const heldSince = releasedDeletions === undefined ? heldDeletions?.since : undefined;
      return updateIf({
        TableName,
        Key: { sourceId: state.sourceId },
        UpdateExpression:
          heldSince === undefined
            ? "SET oaiHarvest = :state REMOVE heldIn, heldSince"
            : "SET oaiHarvest = :state, heldIn = :held, heldSince = :since",
        ConditionExpression:
          state.revision === 1 ? "attribute_not_exists(oaiHarvest)" : "oaiHarvest.revision = :before",
        ExpressionAttributeValues: {
          ":state": state,
          ":before": state.revision === 1 ? undefined : state.revision - 1,
          ":held": heldSince === undefined ? undefined : heldIn,
          ":since": heldSince,
        },
      });
    },
  };
}
