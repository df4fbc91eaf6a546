import { dayIn } from "../../core/day.ts";
import type { Events } from "../../records/events/events.ts";
import type { Mailer } from "../../records/mail/mailer.ts";
import { type Collection, collectionStatusOf, effectiveCollection } from "./collection.ts";
import type { CollectionStore } from "./collection-store.ts";
import type { LinkStatus, StatusChange } from "./link-status.ts";
import type { LinkStatusAccess } from "./link-status-access.ts";
import { changeTypeOf, type LinkStatistics } from "./statistics.ts";
import { buildStatusMail } from "./status-mail.ts";
import type { SweepStore } from "./stored-sweep.ts";

export interface NotifyCollectionPorts {
  statistics: Pick<LinkStatistics, "add">;
  /** An IANA time zone, in which the days of the statistics are counted. */
  timeZone: string;
  events: Events;
  mailer: Mailer;
  /** The recipients of mails about all collections. */
  recipients: string[];
  /** The URL of the console, without a trailing slash. */
  consoleUrl: string;
  /** The sweep that caused a change is read from here. Absent when an operator causes the change. */
  sweeps?: Pick<SweepStore, "get">;
}

export interface CollectionStatusPorts extends NotifyCollectionPorts {
  collections: Pick<CollectionStore, "get" | "linkStatus" | "replaceLinkStatus">;
}

export interface CollectionWithStatus {
  collection: Collection;
  linkStatus?: LinkStatus;
}

/** Provides reading and writing of the link status of a collection, with notifications of its changes. */
export function collectionStatusAccess(
  collectionId: string,
  ports: CollectionStatusPorts,
): LinkStatusAccess<CollectionWithStatus> {
  return {
    async read() {
      const [stored, linkStatus] = await Promise.all([
        ports.collections.get(collectionId),
        ports.collections.linkStatus(collectionId),
      ]);
      if (stored === undefined) return undefined;
      return { collection: effectiveCollection(stored, collectionId), ...(linkStatus && { linkStatus }) };
    },
    linkStatusOf: ({ linkStatus }) => linkStatus,
    shownStatusOf: ({ collection }, linkStatus) => collectionStatusOf(collection, linkStatus),
    write: (_subject, linkStatus, was) => ports.collections.replaceLinkStatus(collectionId, linkStatus, was),
    notify: ({ collection }, change) => notifyCollectionChange(collection, change, ports),
  };
}

/** Counts a change, publishes an event and sends a mail. Idempotent, because a repetition has the same ids. */
export async function notifyCollectionChange(
  collection: Collection,
  change: StatusChange,
  { statistics, timeZone, events, mailer, recipients, consoleUrl, sweeps }: NotifyCollectionPorts,
): Promise<void> {
  const { collectionId, title } = collection;
  const { status, since, checkId, reason } = change;
  const to = changeTypeOf(status);
  const day = dayIn(timeZone, new Date(since));
  await statistics.add({ day, collectionId, change: "collection", to, at: since, reason });
  await events.publish({
    type: `collection.${to}`,
    changeId: `${collectionId}/${checkId}`,
    detail: { collectionId, title, reason, since },
  });
  // The mail comes last, so that a refused address does not prevent the event.
  const sweep = await sweeps?.get(checkId);
  await mailer.send(buildStatusMail(collection, change, { globalRecipients: recipients, sweep, consoleUrl }));
}
