import type { Clock } from "../../core/clock.ts";
import { type CollectionFatePorts, collectionFate } from "./collection-fate.ts";
import { type Fate, restored } from "./fate.ts";
import { moveFate } from "./move-fate.ts";
import { type RecordFatePorts, recordFate } from "./record-fate.ts";

/** What an operator's request has done; `unchanged` when it was active anyway. */
export type Restoration = "restored" | "unchanged" | "unknown";

/** Makes a suppressed or deleted record active again. It begins anew: its next failure is its first. */
export async function restoreRecord(
  recordId: string,
  ports: RecordFatePorts & { clock: Clock },
): Promise<Restoration> {
  const fate = restored(ports.clock.now());
  const moved = await moveFate(fate.checkId, recordFate(recordId, ports), (was) =>
    isActive(was) ? undefined : fate,
  );
  if (moved === undefined) return "unknown";
  return moved.isMoved ? "restored" : "unchanged";
}

/**
 * Makes a suppressed or deleted collection active again. A hold is another matter: it is released by itself, and until
 * then the collection stays suppressed. What is told is the status that searches go by.
 */
export async function restoreCollection(
  collectionId: string,
  ports: CollectionFatePorts & { clock: Clock },
): Promise<Restoration> {
  const fate = restored(ports.clock.now());
  const moved = await moveFate(fate.checkId, collectionFate(collectionId, ports), (was) =>
    isActive(was) ? undefined : fate,
  );
  if (moved === undefined) return "unknown";
  return moved.isMoved ? "restored" : "unchanged";
}

function isActive(fate: Fate | undefined): boolean {
  return (fate?.status ?? "active") === "active";
}
