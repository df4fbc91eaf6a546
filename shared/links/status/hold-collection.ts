import type { Clock } from "../../core/clock.ts";
import { collectionStatusOf, effectiveCollection } from "./collection.ts";
import { type NotifyCollectionPorts, notifyCollectionChange } from "./collection-status.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { LinkStatus, StatusChange } from "./link-status.ts";
import { notifyEach } from "./pending-notifications.ts";

export interface HoldPorts extends NotifyCollectionPorts {
  collections: Pick<CollectionStore, "get" | "linkStatus" | "setHold" | "clearPendingNotifications">;
  clock: Clock;
}

/**
 * Suppresses a collection by hand, or ends that. The change is told as those that checks make, where it changes the
 * status that searches go by. What could not be told is told when an operator asks for the same again.
 * @throws what telling has thrown first, when all else has been told
 */
export async function holdCollection(
  { collectionId, hold }: { collectionId: string; hold: boolean },
  ports: HoldPorts,
): Promise<"held" | "released" | "unknown"> {
  const { collections } = ports;
  const [stored, linkStatus] = await Promise.all([
    collections.get(collectionId),
    collections.linkStatus(collectionId),
  ]);
  if (stored === undefined) return "unknown";
  const collection = effectiveCollection(stored, collectionId);
  const pendingNotifications = await collections.setHold(
    collectionId,
    hold,
    statusChangeByHold(hold, linkStatus, ports.clock.now()),
  );
  const failed = await notifyEach(pendingNotifications, (change) =>
    notifyCollectionChange({ ...collection, hold }, change, ports),
  );
  for (const error of failed.values()) throw error;
  if (pendingNotifications.length > 0)
    await collections.clearPendingNotifications(collectionId, pendingNotifications);
  return hold ? "held" : "released";
}

/** What searches find out of it; nothing where checks have suppressed or deleted the collection anyway. */
function statusChangeByHold(
  hold: boolean,
  linkStatus: LinkStatus | undefined,
  now: Date,
): StatusChange | undefined {
  const status = collectionStatusOf({ hold }, linkStatus);
  if (status === collectionStatusOf({ hold: !hold }, linkStatus)) return undefined;
  const since = now.toISOString();
  const word = hold ? "held" : "released";
  return { status, since, checkId: `${word}-${since}`, reason: `${word} by an operator` };
}
