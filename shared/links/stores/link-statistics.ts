import { allPartsOfDay, partOfDay } from "../../adapters/aws/day-parts.ts";
import { ttlAfter } from "../../adapters/aws/dynamodb.ts";
import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { inParallel } from "../../core/in-parallel.ts";
import type { CollectionChange, LinkChange, LinkStatistics } from "../status/statistics.ts";

const keptDays = 400;

const partsAtOnce = 16;

interface StoredChange {
  change: string;
  value: LinkChange | CollectionChange;
}

/**
 * Stores one item per change. The key `day` contains the day and the part of the day that the collection belongs to.
 * The key `change` contains the collection, the change, and the record; for a change of the collection itself, the time
 * replaces the record. A repeated change overwrites its item, so it counts once. Earlier versions stored items under
 * the day alone.
 */
export function linkStatistics(): LinkStatistics {
  const stored = table<StoredChange, LinkChange | CollectionChange>({
    variable: "linkStatisticsTable",
    key: (value) => {
      const { day, collectionId, change } = value;
      const which = value.change === "collection" ? value.at : value.recordId;
      return { day: partOfDay(day, collectionId), change: `${collectionId}#${change}#${which}` };
    },
  });
  const itemsOf = (day: string, prefix: string) => {
    const begins = prefix === "" ? expression`` : expression` AND begins_with(change, ${prefix})`;
    return stored.query({ where: expression`day = ${day}${begins}` }).all();
  };
  const changes = async (keys: string[], prefix: string) => {
    const items = (await inParallel(keys, partsAtOnce, (key) => itemsOf(key, prefix))).flat();
    // The same change may be stored under the day alone and again under the day with its part.
    const byChange = new Map(items.map((item) => [item.change, item.value]));
    return [...byChange].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
  };
  return {
    add: (value) => stored.putItem(value, { value, expiresAt: ttlAfter(value.day, keptDays) }),
    ofDay: (day) => changes(allPartsOfDay(day), ""),
    ofCollection: (collectionId, day) => changes([day, partOfDay(day, collectionId)], `${collectionId}#`),
  };
}
