import { collectionStatusOf, effectiveCollection } from "./collection.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { LinkStatusValue } from "./link-status.ts";

/** What an operator's request has done; `hidden`: nothing, as its records are left out of searches. */
export type Removal = { type: "removed" } | { type: "unknown" } | { type: "hidden"; status: LinkStatusValue };

/**
 * Removes a collection: what operators say of it, and where it stands. Its records stay, with their own links' states, and
 * are then those of a collection that nobody has configured: listed, not swept, checked when readers open them. So one
 * whose records are left out of searches is not removed: they would all be found again.
 */
export async function removeCollection(
  collectionId: string,
  { collections }: { collections: Pick<CollectionStore, "get" | "linkStatus" | "remove"> },
): Promise<Removal> {
  const [stored, linkStatus] = await Promise.all([
    collections.get(collectionId),
    collections.linkStatus(collectionId),
  ]);
  if (stored === undefined) return { type: "unknown" };
  const status = collectionStatusOf(effectiveCollection(stored, collectionId), linkStatus);
  if (status !== "active") return { type: "hidden", status };
  await collections.remove(collectionId);
  return { type: "removed" };
}
