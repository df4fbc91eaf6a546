import { RemoteError } from "../../core/errors.ts";
import type { LinkStatus, LinkStatusValue, PendingNotification, StatusChange } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";

/** The maximum number of changes with a refused mail that are kept. Each takes about 300 bytes. */
const maxRefused = 10;

/**
 * Adds pending notifications to a link status: those that were pending before, and one for its own change of status, if
 * it has changed.
 */
export function withPendingNotifications(
  linkStatus: LinkStatus,
  was: LinkStatus | undefined,
  statusOf: (linkStatus: LinkStatus | undefined) => LinkStatusValue,
): LinkStatus {
  const { since, checkId, reason, nextAttemptAt } = linkStatus;
  const status = statusOf(linkStatus);
  const change = { status, since, checkId, reason, ...(nextAttemptAt !== undefined && { nextAttemptAt }) };
  const pendingNotifications = [
    ...dropOldRefused(was?.pendingNotifications ?? []),
    ...(status === statusOf(was) ? [] : [change]),
  ];
  return pendingNotifications.length === 0 ? linkStatus : { ...linkStatus, pendingNotifications };
}

function dropOldRefused(pendingNotifications: PendingNotification[]): PendingNotification[] {
  const kept = new Set(pendingNotifications.filter(({ isRefused }) => isRefused).slice(-maxRefused));
  return pendingNotifications.filter((change) => !change.isRefused || kept.has(change));
}

/**
 * Sends the pending notifications and keeps those that fail. A change with a refused mail is sent again only when the
 * check that caused it is repeated. Otherwise, every later check of the collection would fail and end up in the
 * dead-letter queue.
 * @throws the first error of a notification
 */
export async function sendPendingNotifications<Subject>(
  checkId: string,
  { subject, linkStatus }: { subject: Subject; linkStatus: LinkStatus },
  access: LinkStatusAccess<Subject>,
): Promise<void> {
  const { pendingNotifications = [], ...rest } = linkStatus;
  const due = pendingNotifications.filter((change) => !change.isRefused || change.checkId === checkId);
  const failed = await notifyEach(due, (change) => access.notify(subject, change));
  const isSentNow = (change: PendingNotification) => due.includes(change) && !failed.has(change);
  const isRefusedNow = (change: PendingNotification) =>
    !change.isRefused && failed.get(change) instanceof RemoteError;
  if (pendingNotifications.some((change) => isSentNow(change) || isRefusedNow(change))) {
    const remaining = pendingNotifications
      .filter((change) => !isSentNow(change))
      .map((change) => (isRefusedNow(change) ? { ...change, isRefused: true as const } : change));
    // If another check has replaced the link status meanwhile, this write fails. The new status has the same pending
    // notifications, which are then sent again.
    await access.write(
      subject,
      remaining.length === 0 ? rest : { ...rest, pendingNotifications: remaining },
      linkStatus,
    );
  }
  for (const error of failed.values()) throw error;
}

/**
 * Notifies of changes in their order, and continues after a notification that fails.
 * @returns the errors, by change
 */
export async function notifyEach<Change extends StatusChange>(
  changes: readonly Change[],
  notify: (change: Change) => Promise<void>,
): Promise<Map<Change, unknown>> {
  const failed = new Map<Change, unknown>();
  for (const change of changes) {
    await notify(change).catch((error: unknown) => failed.set(change, error));
  }
  return failed;
}
