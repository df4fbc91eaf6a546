import type { LinkStatus } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";
import { sendPendingNotifications, withPendingNotifications } from "./pending-notifications.ts";

/** Provides the link status, and schedules the next attempt. */
interface LinkStatusUpdater<Subject> extends LinkStatusAccess<Subject> {
  /** Schedules the next attempt. Idempotent. */
  scheduleRecheck(subject: Subject, linkStatus: LinkStatus): Promise<void>;
}

/**
 * Reads a link status, decides on the new one and writes it; repeats this while other checks write in between. Then
 * schedules the next attempt and sends the notifications. Pending notifications are part of the link status, so after a
 * crash the next check sends them.
 * @param checkId the deciding check; when it is repeated, scheduling and notifications are repeated, too
 * @param decide returns the new link status; undefined for no change
 * @returns undefined when the subject does not exist
 */
export async function updateLinkStatus<Subject>(
  checkId: string,
  updater: LinkStatusUpdater<Subject>,
  decide: (linkStatus: LinkStatus | undefined, subject: Subject) => LinkStatus | undefined,
): Promise<{ subject: Subject; isMoved: boolean } | undefined> {
  for (;;) {
    const subject = await updater.read();
    if (subject === undefined) return undefined;
    const before = updater.linkStatusOf(subject);
    const decision = decide(before, subject);
    const next =
      decision &&
      withPendingNotifications(decision, before, (linkStatus) => updater.shownStatusOf(subject, linkStatus));
    if (next !== undefined && !(await updater.write(subject, next, before))) continue;
    const linkStatus = next ?? before;
    if (linkStatus?.checkId === checkId && linkStatus.nextAttemptAt !== undefined)
      await updater.scheduleRecheck(subject, linkStatus);
    if (linkStatus?.pendingNotifications !== undefined)
      await sendPendingNotifications(checkId, { subject, linkStatus }, updater);
    return { subject, isMoved: next !== undefined };
  }
}
