import { expression } from "../../adapters/aws/expression.ts";
import { isNext, table } from "../../adapters/aws/table.ts";
import { listPendingKeys, withPendingPart } from "../../adapters/records/pending-index.ts";
import { documentsByPendingIndex } from "../../names.ts";
import type { Item, ItemKey, ItemStore } from "../items/item.ts";

/** The keys of a thousand items have about 200 kB. */
const countedPerPage = 1000;

/** Stores items in the table `items`. */
export function itemStore(): ItemStore {
  const items = table<Item, ItemKey>({
    variable: "itemsTable",
    key: ({ documentId, itemId }) => ({ documentId, itemId }),
    // The keys of the sparse index of items with pending events, and of missing files.
    hidden: ["pendingIn"],
  });
  const missing = (sourceId: string) =>
    items.query<ItemKey>({
      index: documentsByPendingIndex,
      where: expression`pendingIn = ${missingPart(sourceId)}`,
    });
  return {
    get: (key) => items.get(key),
    list: (documentId) =>
      items.query({ where: expression`documentId = ${documentId}`, isConsistent: true }).all(),
    save: (item) => items.putIf(item, indexed(item), isNext(item, "itemId")),
    async listPending(before, limit) {
      const keys = await listPendingKeys(items.query<ItemKey>, before, limit);
      return keys.map(keyOf);
    },
    listMissing: async (sourceId, limit) => (await missing(sourceId).first(limit)).map(keyOf),
    async countMissing(sourceId) {
      let count = 0;
      for await (const page of missing(sourceId).pages(countedPerPage)) count += page.length;
      return count;
    },
  };
}

const keyOf = ({ documentId, itemId }: ItemKey): ItemKey => ({ documentId, itemId });

/** The part of the index of pending events that lists the missing files of a source. */
const missingPart = (sourceId: string) => `missing ${sourceId}`;

/** An item with pending events is listed by these; it has no missing file, because its last change was published late. */
function indexed(item: Item): object {
  if (item.missing === undefined || item.outbox.length > 0) return withPendingPart(item, item.itemId);
  return { ...item, pendingIn: missingPart(item.sourceId) };
}
