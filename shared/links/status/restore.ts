import type { Clock } from "../../core/clock.ts";
import { describeDecision, type OperatorDecision } from "./collection.ts";
import { type CollectionStatusPorts, collectionStatusAccess } from "./collection-status.ts";
import { type LinkStatus, restoredStatus } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";
import { type RecordStatusPorts, recordStatusAccess } from "./record-status.ts";
import { updateLinkStatus } from "./update-link-status.ts";

/** `unchanged` means that it was active already. */
type RestoreOutcome = "restored" | "unchanged" | "unknown";

/** Makes a suppressed or deleted record active again. Its next failure counts as the first. */
export function restoreRecord(
  recordId: string,
  ports: RecordStatusPorts & { clock: Clock },
): Promise<RestoreOutcome> {
  return restore(recordStatusAccess(recordId, ports), restoredStatus(ports.clock.now()));
}

/**
 * Makes a suppressed or deleted collection active again. A held collection stays held, and therefore suppressed.
 * Notifications name the status that searches use.
 */
export function restoreCollection(
  collectionId: string,
  decision: OperatorDecision,
  ports: CollectionStatusPorts & { clock: Clock },
): Promise<RestoreOutcome> {
  const linkStatus = restoredStatus(ports.clock.now(), describeDecision("restored", decision));
  return restore(collectionStatusAccess(collectionId, ports), linkStatus);
}

async function restore<Subject>(
  access: LinkStatusAccess<Subject>,
  linkStatus: LinkStatus,
): Promise<RestoreOutcome> {
  // An active subject has no next attempt.
  const updater = { ...access, scheduleRecheck: async () => {} };
  const moved = await updateLinkStatus(linkStatus.checkId, updater, (was) =>
    (was?.status ?? "active") === "active" ? undefined : linkStatus,
  );
  if (moved === undefined) return "unknown";
  return moved.isMoved ? "restored" : "unchanged";
}
