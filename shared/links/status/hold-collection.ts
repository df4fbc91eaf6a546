import type { Clock } from "../../core/clock.ts";
import {
  collectionStatusOf,
  describeDecision,
  effectiveCollection,
  type Hold,
  type OperatorDecision,
} from "./collection.ts";
import { type NotifyCollectionPorts, notifyCollectionChange } from "./collection-status.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { LinkStatus, StatusChange } from "./link-status.ts";
import { notifyEach } from "./pending-notifications.ts";

interface HoldPorts extends NotifyCollectionPorts {
  collections: Pick<CollectionStore, "get" | "linkStatus" | "setHold" | "clearPendingNotifications">;
  clock: Clock;
}

/**
 * Holds a collection or releases it. When this changes the status that searches use, the same notifications are sent as
 * after a check. Failed notifications stay pending until the operator repeats the request.
 * @throws the first error of a notification, after all have been tried
 */
export async function holdCollection(
  { collectionId, hold, decision }: { collectionId: string; hold: boolean; decision: Omit<Hold, "since"> },
  ports: HoldPorts,
): Promise<"held" | "released" | "unknown"> {
  const { collections } = ports;
  const [stored, linkStatus] = await Promise.all([
    collections.get(collectionId),
    collections.linkStatus(collectionId),
  ]);
  if (stored === undefined) return "unknown";
  const collection = effectiveCollection(stored, collectionId);
  const since = ports.clock.now().toISOString();
  const pendingNotifications = await collections.setHold(
    collectionId,
    hold ? { since, ...decision } : undefined,
    statusChangeByHold(hold, linkStatus, { since, decision }),
  );
  const failed = await notifyEach(pendingNotifications, (change) =>
    notifyCollectionChange({ ...collection, hold }, change, ports),
  );
  for (const error of failed.values()) throw error;
  if (pendingNotifications.length > 0)
    await collections.clearPendingNotifications(collectionId, pendingNotifications);
  return hold ? "held" : "released";
}

/**
 * Returns the change of status that a hold or release causes.
 * @returns undefined when checks have suppressed or deleted the collection anyway
 */
function statusChangeByHold(
  hold: boolean,
  linkStatus: LinkStatus | undefined,
  { since, decision }: { since: string; decision: OperatorDecision },
): StatusChange | undefined {
  const status = collectionStatusOf({ hold }, linkStatus);
  if (status === collectionStatusOf({ hold: !hold }, linkStatus)) return undefined;
  const word = hold ? "held" : "released";
  return { status, since, checkId: `${word}-${since}`, reason: describeDecision(word, decision) };
}
