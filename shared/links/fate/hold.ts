import type { Clock } from "../../core/clock.ts";
import type { CollectionStore } from "../../ports.ts";
import { collectionOf, statusOf } from "./collection.ts";
import { type TellCollectionPorts, tellCollectionChange } from "./collection-fate.ts";
import type { Fate, StatusChange } from "./fate.ts";
import { tellEach } from "./untold.ts";

export interface HoldPorts extends TellCollectionPorts {
  collections: Pick<CollectionStore, "get" | "fate" | "setHold" | "toldHold">;
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
  const [stored, fate] = await Promise.all([collections.get(collectionId), collections.fate(collectionId)]);
  if (stored === undefined) return "unknown";
  const collection = collectionOf(stored, collectionId);
  const untold = await collections.setHold(collectionId, hold, changeByHold(hold, fate, ports.clock.now()));
  const failed = await tellEach(untold, (change) =>
    tellCollectionChange({ ...collection, hold }, change, ports),
  );
  for (const error of failed.values()) throw error;
  if (untold.length > 0) await collections.toldHold(collectionId, untold);
  return hold ? "held" : "released";
}

/** What searches find out of it; nothing where checks have suppressed or deleted the collection anyway. */
function changeByHold(hold: boolean, fate: Fate | undefined, now: Date): StatusChange | undefined {
  const status = statusOf({ hold }, fate);
  if (status === statusOf({ hold: !hold }, fate)) return undefined;
  const since = now.toISOString();
  const word = hold ? "held" : "released";
  return { status, since, checkId: `${word}-${since}`, reason: `${word} by an operator` };
}
