import type { Clock } from "../../core/clock.ts";
import { type CollectionStatusPorts, collectionStatusAccess } from "./collection-status.ts";
import { restoredStatus } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";
import { type RecordStatusPorts, recordStatusAccess } from "./record-status.ts";
import { updateLinkStatus } from "./update-link-status.ts";

/** `unchanged`: it was active. */
type RestoreOutcome = "restored" | "unchanged" | "unknown";

/** Makes a suppressed or deleted record active again. Its next failure counts as its first. */
export function restoreRecord(
  recordId: string,
  ports: RecordStatusPorts & { clock: Clock },
): Promise<RestoreOutcome> {
  return restore(recordStatusAccess(recordId, ports), ports.clock);
}

/**
 * Makes a suppressed or deleted collection active again. A hold stays, and with it the suppression. Notifications name the
 * status that searches use.
 */
export function restoreCollection(
  collectionId: string,
  ports: CollectionStatusPorts & { clock: Clock },
): Promise<RestoreOutcome> {
  return restore(collectionStatusAccess(collectionId, ports), ports.clock);
}

async function restore<Subject>(access: LinkStatusAccess<Subject>, clock: Clock): Promise<RestoreOutcome> {
  const linkStatus = restoredStatus(clock.now());
  // An active subject has no next attempt.
  const updater = { ...access, scheduleRecheck: async () => {} };
  const moved = await updateLinkStatus(linkStatus.checkId, updater, (was) =>
    (was?.status ?? "active") === "active" ? undefined : linkStatus,
  );
  if (moved === undefined) return "unknown";
  return moved.isMoved ? "restored" : "unchanged";
}
