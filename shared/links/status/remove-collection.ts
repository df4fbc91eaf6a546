import { collectionStatusOf, effectiveCollection } from "./collection.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { LinkStatusValue } from "./link-status.ts";

/** `hidden` means that the collection was not removed, because searches do not show its records. */
type Removal =
  | { type: "removed" }
  | { type: "unknown" }
  | { type: "stale" }
  | { type: "hidden"; status: LinkStatusValue };

/**
 * Removes a collection with its link status. Its records and their link statuses are kept. They are then treated like
 * those of a collection without configuration: they are listed, sweeps skip them, and their links are checked when
 * readers open them. A suppressed or deleted collection is not removed, because searches would find all its records
 * again.
 * @param isMeant decides whether the stored revision may be removed; if not, or if the collection is changed meanwhile,
 * the result is `stale`
 */
export async function removeCollection(
  collectionId: string,
  { collections }: { collections: Pick<CollectionStore, "get" | "linkStatus" | "remove"> },
  isMeant?: (revision: number | undefined) => boolean,
): Promise<Removal> {
  const [stored, linkStatus] = await Promise.all([
    collections.get(collectionId),
    collections.linkStatus(collectionId),
  ]);
  if (stored === undefined) return { type: "unknown" };
  const status = collectionStatusOf(effectiveCollection(stored, collectionId), linkStatus);
  if (status !== "active") return { type: "hidden", status };
  if (isMeant?.(stored.revision) === false) return { type: "stale" };
  const isRemoved = await collections.remove(collectionId, isMeant && stored);
  return { type: isRemoved ? "removed" : "stale" };
}
