import { expression } from "../../adapters/aws/expression.ts";
import { table } from "../../adapters/aws/table.ts";
import { collectionsBySuppressionIndex } from "../../names.ts";
import type { LinkStatus } from "../status/link-status.ts";
import type { ListSuppressedCollections, SuppressedCollection } from "../status/suppressed-collection.ts";

type SuppressedItem = Pick<SuppressedCollection, "collectionId"> &
  Partial<Pick<LinkStatus, "since" | "reason">>;

/**
 * Lists the collections that `collection-store.ts` marks as suppressed. A collection that is both held and suppressed
 * by checks is listed as held.
 */
export function suppressedCollections(): ListSuppressedCollections {
  const items = table<SuppressedItem, { kind: string; collectionId: string }>({
    variable: "collectionsTable",
    key: (key) => key,
  });
  const suppressedBy = async (by: SuppressedCollection["by"], limit: number) => {
    const where = expression`suppressedBy = ${by}`;
    const found = await items.query({ index: collectionsBySuppressionIndex, where }).first(limit);
    return found.map(({ collectionId, since, reason }) => ({
      collectionId,
      by,
      ...(since !== undefined && { since }),
      ...(reason !== undefined && { reason }),
    }));
  };
  return async (limit) => {
    const [held, checked] = await Promise.all([suppressedBy("hold", limit), suppressedBy("checks", limit)]);
    const isHeld = new Set(held.map(({ collectionId }) => collectionId));
    return [...checked.filter(({ collectionId }) => !isHeld.has(collectionId)), ...held];
  };
}
