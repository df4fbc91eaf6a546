import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { CollectionChange, LinkChange, LinkStatistics } from "../../../links/report/statistics.ts";
import { dynamodb, queryAll, ttlAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

const keptDays = 400;

/**
 * One item per change: partition key `day`, sort key `change` (collection, change, record; for the collection itself its
 * time). A repeated change overwrites its item, so it counts once.
 */
export function linkStatistics(): LinkStatistics {
  const TableName = variable("linkStatisticsTable");
  const changes = async (day: string, prefix: string) => {
    const items = await queryAll<{ value: LinkChange | CollectionChange }>({
      TableName,
      KeyConditionExpression: `#day = :day${prefix === "" ? "" : " AND begins_with(#change, :prefix)"}`,
      ExpressionAttributeNames: { "#day": "day", ...(prefix !== "" && { "#change": "change" }) },
      ExpressionAttributeValues: { ":day": day, ...(prefix !== "" && { ":prefix": prefix }) },
    });
    return items.map(({ value }) => value);
  };
  return {
    async add(value) {
      const { day, collectionId, change } = value;
      const which = value.change === "collection" ? value.at : value.recordId;
      const expiresAt = ttlAfter(day, keptDays);
      const Item = { day, change: `${collectionId}#${change}#${which}`, value, expiresAt };
      await dynamodb.send(new PutCommand({ TableName, Item }));
    },
    ofDay: (day) => changes(day, ""),
    ofCollection: (collectionId, day) => changes(day, `${collectionId}#`),
  };
}
