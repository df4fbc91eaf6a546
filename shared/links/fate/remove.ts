import type { CollectionStore } from "../../ports.ts";
import { collectionOf, statusOf } from "./collection.ts";
import type { FateStatus } from "./fate.ts";

/** What an operator's request has done; `hidden`: nothing, as its records are left out of searches. */
export type Removal = { type: "removed" } | { type: "unknown" } | { type: "hidden"; status: FateStatus };

/**
 * Removes a collection: what operators say of it, and where it stands. Its records stay, with their own links' states, and
 * are then those of a collection that nobody has configured: listed, not swept, checked when readers open them. So one
 * whose records are left out of searches is not removed: they would all be found again.
 */
export async function removeCollection(
  collectionId: string,
  { collections }: { collections: Pick<CollectionStore, "get" | "fate" | "remove"> },
): Promise<Removal> {
  const [stored, fate] = await Promise.all([collections.get(collectionId), collections.fate(collectionId)]);
  if (stored === undefined) return { type: "unknown" };
  const status = statusOf(collectionOf(stored, collectionId), fate);
  if (status !== "active") return { type: "hidden", status };
  await collections.remove(collectionId);
  return { type: "removed" };
}
