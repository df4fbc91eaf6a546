import { allPartsOfDay, partOfDay } from "../../adapters/aws/day-parts.ts";
import { putItem, queryAll, ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { CollectionChange, LinkChange, LinkStatistics } from "../status/statistics.ts";

const keptDays = 400;

const partsAtOnce = 16;

interface StoredChange {
  change: string;
  value: LinkChange | CollectionChange;
}

/**
 * One item per change: partition key `day` (with the part that has the collection), sort key `change` (collection, change,
 * record; for the collection itself its time). A repeated change overwrites its item, so it counts once. Items of earlier
 * versions are under the day alone.
 */
export function linkStatistics(): LinkStatistics {
  const TableName = variable("linkStatisticsTable");
  const itemsOf = (key: string, prefix: string) =>
    queryAll<StoredChange>({
      TableName,
      KeyConditionExpression: `#day = :day${prefix === "" ? "" : " AND begins_with(#change, :prefix)"}`,
      ExpressionAttributeNames: { "#day": "day", ...(prefix !== "" && { "#change": "change" }) },
      ExpressionAttributeValues: { ":day": key, ...(prefix !== "" && { ":prefix": prefix }) },
    });
  const changes = async (keys: string[], prefix: string) => {
    const items = (await inParallel(keys, partsAtOnce, (key) => itemsOf(key, prefix))).flat();
    // A change may be under the day alone, and repeated under its part.
    const byChange = new Map(items.map((item) => [item.change, item.value]));
    return [...byChange].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  };
  return {
    async add(value) {
      const { day, collectionId, change } = value;
      const which = value.change === "collection" ? value.at : value.recordId;
      const expiresAt = ttlAfter(day, keptDays);
      const key = partOfDay(day, collectionId);
      const Item = { day: key, change: `${collectionId}#${change}#${which}`, value, expiresAt };
      await putItem({ TableName, Item });
    },
    ofDay: (day) => changes(allPartsOfDay(day), ""),
    ofCollection: (collectionId, day) => changes([day, partOfDay(day, collectionId)], `${collectionId}#`),
  };
}
