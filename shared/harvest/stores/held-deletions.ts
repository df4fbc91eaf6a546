import { getAll, queryFirst } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { sourcesByHeldDeletionsIndex } from "../../names.ts";
import type { ListHeldDeletions, OaiHarvestState } from "../oai-state/harvest-state.ts";
import { heldIn } from "./oai-harvest-store.ts";

interface StatusItem {
  sourceId: string;
  oaiHarvest?: OaiHarvestState;
}

/** Lists the sources whose deletions `oai-harvest-store.ts` marks as held, the latest first. */
export function heldDeletions(): ListHeldDeletions {
  const TableName = variable("sourceStatusTable");
  return async (limit) => {
    const query = {
      TableName,
      IndexName: sourcesByHeldDeletionsIndex,
      ScanIndexForward: false,
      KeyConditionExpression: "heldIn = :held",
      ExpressionAttributeValues: { ":held": heldIn },
    };
    const keys = await queryFirst<{ sourceId: string }>(query, limit);
    if (keys.length === 0) return [];
    const items = await getAll<StatusItem>(TableName, {
      Keys: keys.map(({ sourceId }) => ({ sourceId })),
      ProjectionExpression: "sourceId, oaiHarvest",
    });
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
