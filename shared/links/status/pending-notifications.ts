import { RemoteError } from "../../core/errors.ts";
import type { LinkStatus, LinkStatusValue, PendingNotification, StatusChange } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";

/** At most this many changes with a refused mail are kept, at 300 bytes each. */
const maxRefused = 10;

/** A link status with the changes still pending before it, and its own change of status, if it is one. */
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
 * Sends the pending notifications and keeps those that fail. One with a refused mail is sent again only when its own check
 * is repeated: otherwise every later check of the collection would fail and end in the dead-letter queue.
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
    // A check that has replaced the link status meanwhile has the same notifications pending, and repeats them.
    await access.write(
      subject,
      remaining.length === 0 ? rest : { ...rest, pendingNotifications: remaining },
      linkStatus,
    );
  }
  for (const error of failed.values()) throw error;
}

/**
 * Notifies of changes in their order, also after one that fails.
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
