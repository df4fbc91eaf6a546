import { getItem, putIf, queryAll } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { listPendingKeys, pendingPartOf } from "../../adapters/records/pending-index.ts";
import { documentsByPendingIndex } from "../../names.ts";
import type { Item, ItemKey, ItemStore } from "../items/item.ts";

/** An item of the table. `pendingIn` is the key of the sparse index of those with pending events. */
type StoredItem = Item & { pendingIn?: string };

/** The table `items`. */
export function itemStore(): ItemStore {
  const TableName = variable("itemsTable");
  return {
    async get({ documentId, itemId }) {
      const item = await getItem<StoredItem>({
        TableName,
        Key: { documentId, itemId },
        ConsistentRead: true,
      });
      return item && itemOf(item);
    },
    async list(documentId) {
      const items = await queryAll<StoredItem>({
        TableName,
        KeyConditionExpression: "documentId = :documentId",
        ExpressionAttributeValues: { ":documentId": documentId },
        ConsistentRead: true,
      });
      return items.map(itemOf);
    },
    save: (item) =>
      putIf({
        TableName,
        Item: { ...item, ...(item.pendingSince !== undefined && { pendingIn: pendingPartOf(item.itemId) }) },
        ...(item.revision === 1
          ? { ConditionExpression: "attribute_not_exists(itemId)" }
          : {
              ConditionExpression: "revision = :before",
              ExpressionAttributeValues: { ":before": item.revision - 1 },
            }),
      }),
    async listPending(before, limit) {
      const index = { TableName, IndexName: documentsByPendingIndex };
      const keys = await listPendingKeys<ItemKey>(index, before, limit);
      return keys.map(({ documentId, itemId }) => ({ documentId, itemId }));
    },
  };
}

function itemOf({ pendingIn: _index, ...item }: StoredItem): Item {
  return item;
}
