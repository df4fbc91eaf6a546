import { RemoteError } from "../../core/errors.ts";
import type { LinkStatus, LinkStatusValue, PendingNotification, StatusChange } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";

/** So many changes whose mails are refused are kept for their checks to come again; each is 300 bytes of an item. */
const maxRefused = 10;

/** A link status with what is still to be told: what was before it, and its own change of status, if it is one. */
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
 * Tells what is pending notifications, and keeps what cannot be told. What is refused is told again only when the check that made the
 * change comes again: if every check of the collection told it, each would end in the dead-letter queue, for ever.
 * @throws what telling has thrown first
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
    // Whoever has moved it on meanwhile has taken over what was pending notifications, and tells it once more.
    await access.write(
      subject,
      remaining.length === 0 ? rest : { ...rest, pendingNotifications: remaining },
      linkStatus,
    );
  }
  for (const error of failed.values()) throw error;
}

/**
 * Tells of changes, in their order. What cannot be told keeps nothing else from it.
 * @returns what telling has thrown, by change
 */
export async function notifyEach<Change extends StatusChange>(
  changes: readonly Change[],
  tell: (change: Change) => Promise<void>,
): Promise<Map<Change, unknown>> {
  const failed = new Map<Change, unknown>();
  for (const change of changes) {
    await tell(change).catch((error: unknown) => failed.set(change, error));
  }
  return failed;
}
