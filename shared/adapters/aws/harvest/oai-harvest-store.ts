import type { OaiHarvestState, OaiHarvestStore } from "../../../harvest/oai/harvest-state.ts";
import { getItem, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** The states of OAI-PMH harvests: one attribute of the item with the source's status. */
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
    save: (state) =>
      updateIf({
        TableName,
        Key: { sourceId: state.sourceId },
        UpdateExpression: "SET oaiHarvest = :state",
        ConditionExpression:
          state.revision === 1 ? "attribute_not_exists(oaiHarvest)" : "oaiHarvest.revision = :before",
        ExpressionAttributeValues: {
          ":state": state,
          ":before": state.revision === 1 ? undefined : state.revision - 1,
        },
      }),
  };
}
