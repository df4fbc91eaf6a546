import type { Write } from "../../../local/cli/memory/write.ts";
import type { Item, ItemKey, ItemStore } from "../../../shared/harvest/items/item.ts";

const keyOf = ({ documentId, itemId }: ItemKey) => `${documentId} ${itemId}`;

/** Items in memory. */
export function memoryItems(memory: { itemsByKey: Map<string, Item> }, write: Write): ItemStore {
  const missingOf = (sourceId: string) =>
    [...memory.itemsByKey.values()].filter(
      (item) => item.sourceId === sourceId && item.missing !== undefined,
    );
  return {
    get: async (key) => structuredClone(memory.itemsByKey.get(keyOf(key))),
    list: async (documentId) =>
      [...memory.itemsByKey.values()]
        .filter((item) => item.documentId === documentId)
        .sort((a, b) => (a.itemId < b.itemId ? -1 : 1)),
    save: (item) =>
      write(() => {
        if ((memory.itemsByKey.get(keyOf(item))?.revision ?? 0) !== item.revision - 1) return false;
        memory.itemsByKey.set(keyOf(item), structuredClone(item));
        return true;
      }),
    listPending: async (before, limit) =>
      [...memory.itemsByKey.values()]
        .filter(
          ({ pendingSince = before, missing, outbox }) =>
            pendingSince < before && (missing === undefined || outbox.length > 0),
        )
        .slice(0, limit)
        .map(({ documentId, itemId }) => ({ documentId, itemId })),
    listMissing: async (sourceId, limit) =>
      missingOf(sourceId)
        .sort((a, b) => ((a.pendingSince ?? "") < (b.pendingSince ?? "") ? -1 : 1))
        .slice(0, limit)
        .map(({ documentId, itemId }) => ({ documentId, itemId })),
    countMissing: async (sourceId) => missingOf(sourceId).length,
  };
}
