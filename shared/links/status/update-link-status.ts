import type { LinkStatus } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";
import { sendPendingNotifications, withPendingNotifications } from "./pending-notifications.ts";

/** The same, with what else follows from a move. */
export interface LinkStatusUpdater<Subject> extends LinkStatusAccess<Subject> {
  /** Has the next attempt made when it is due. May be done twice. */
  scheduleRecheck(subject: Subject, linkStatus: LinkStatus): Promise<void>;
}

/**
 * Reads a link status, decides, and writes what was decided, again and again until nobody else has moved it in between; then does
 * what follows. Changes that are still to be told stay with the link status, also when it is moved on: so a check that overtakes
 * one that broke off tells of both.
 * @param checkId who decides: a link status that it has moved before is followed again
 * @param decide gives the new link status; undefined when it stays as it is
 * @returns undefined when there is no such subject
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
