import type { Clock } from "../../core/clock.ts";
import { collectionStatusOf, effectiveCollection } from "./collection.ts";
import { type NotifyCollectionPorts, notifyCollectionChange } from "./collection-status.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { LinkStatus, StatusChange } from "./link-status.ts";
import { notifyEach } from "./pending-notifications.ts";

interface HoldPorts extends NotifyCollectionPorts {
  collections: Pick<CollectionStore, "get" | "linkStatus" | "setHold" | "clearPendingNotifications">;
  clock: Clock;
}

/**
 * Holds a collection or releases it. Where this changes the status that searches use, it sends the same notifications as
 * a check does. Failed notifications stay pending: the operator's next identical request sends them.
 * @throws the first error of a notification, after trying all
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

/** Undefined where checks have suppressed or deleted the collection anyway. */
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
