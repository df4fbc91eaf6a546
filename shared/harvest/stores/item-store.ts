import { expression } from "../../adapters/aws/expression.ts";
import { isNext, table } from "../../adapters/aws/table.ts";
import { listPendingKeys, withPendingPart } from "../../adapters/records/pending-index.ts";
import type { Item, ItemKey, ItemStore } from "../items/item.ts";

/** Stores items in the table `items`. */
export function itemStore(): ItemStore {
  const items = table<Item, ItemKey>({
    variable: "itemsTable",
    key: ({ documentId, itemId }) => ({ documentId, itemId }),
    // The key of the sparse index of items with pending events.
    hidden: ["pendingIn"],
  });
  return {
    get: (key) => items.get(key),
    list: (documentId) =>
      items.query({ where: expression`documentId = ${documentId}`, isConsistent: true }).all(),
    save: (item) => items.putIf(item, withPendingPart(item, item.itemId), isNext(item, "itemId")),
    async listPending(before, limit) {
      const keys = await listPendingKeys(items.query<ItemKey>, before, limit);
      return keys.map(({ documentId, itemId }) => ({ documentId, itemId }));
    },
  };
}
