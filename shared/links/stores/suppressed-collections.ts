import { queryFirst } from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { collectionsBySuppressionIndex } from "../../names.ts";
import type { LinkStatus } from "../status/link-status.ts";
import type { ListSuppressedCollections, SuppressedCollection } from "../status/suppressed-collection.ts";

type SuppressedItem = Pick<SuppressedCollection, "collectionId"> &
  Partial<Pick<LinkStatus, "since" | "reason">>;

/** Lists what `collection-store.ts` marks as suppressed. A collection that is both is listed as held. */
export function suppressedCollections(): ListSuppressedCollections {
  const suppressedBy = async (by: SuppressedCollection["by"], limit: number) => {
    const items = await queryFirst<SuppressedItem>(
      {
        TableName: variable("collectionsTable"),
        IndexName: collectionsBySuppressionIndex,
        KeyConditionExpression: "suppressedBy = :by",
        ExpressionAttributeValues: { ":by": by },
      },
      limit,
    );
    return items.map(({ collectionId, since, reason }) => ({
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
