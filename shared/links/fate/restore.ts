import type { Clock } from "../../core/clock.ts";
import { type CollectionFatePorts, collectionFate } from "./collection-fate.ts";
import { restored } from "./fate.ts";
import { type KeptFate, moveFate } from "./move-fate.ts";
import { type RecordFatePorts, recordFate } from "./record-fate.ts";

/** What an operator's request has done; `unchanged` when it was active anyway. */
export type Restoration = "restored" | "unchanged" | "unknown";

/** Makes a suppressed or deleted record active again. It begins anew: its next failure is its first. */
export function restoreRecord(
  recordId: string,
  ports: RecordFatePorts & { clock: Clock },
): Promise<Restoration> {
  return restore(recordFate(recordId, ports), ports.clock);
}

/**
 * Makes a suppressed or deleted collection active again. A hold is another matter: it is released by itself, and until
 * then the collection stays suppressed. What is told is the status that searches go by.
 */
export function restoreCollection(
  collectionId: string,
  ports: CollectionFatePorts & { clock: Clock },
): Promise<Restoration> {
  return restore(collectionFate(collectionId, ports), ports.clock);
}

async function restore<Subject>(kept: KeptFate<Subject>, clock: Clock): Promise<Restoration> {
  const fate = restored(clock.now());
  // What is active has no attempt to come.
  const keeper = { ...kept, schedule: async () => {} };
  const moved = await moveFate(fate.checkId, keeper, (was) =>
    (was?.status ?? "active") === "active" ? undefined : fate,
  );
  if (moved === undefined) return "unknown";
  return moved.isMoved ? "restored" : "unchanged";
}
