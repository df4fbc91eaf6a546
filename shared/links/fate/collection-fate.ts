import type { CollectionStore, Events, Mailer } from "../../ports.ts";
import { changeOf } from "../report/statistics.ts";
import { statusMail } from "../report/status-mail.ts";
import { type Collection, collectionOf, statusOf } from "./collection.ts";
import type { Fate, StatusChange } from "./fate.ts";
import type { KeptFate } from "./move-fate.ts";

export interface TellCollectionPorts {
  events: Events;
  mailer: Mailer;
  /** Who is told of all collections. */
  recipients: string[];
}

export interface CollectionFatePorts extends TellCollectionPorts {
  collections: Pick<CollectionStore, "get" | "fate" | "moveFate">;
}

export interface CollectionWithFate {
  collection: Collection;
  fate?: Fate;
}

/** The fate of a collection, and who is told of its changes. */
export function collectionFate(
  collectionId: string,
  ports: CollectionFatePorts,
): KeptFate<CollectionWithFate> {
  return {
    async read() {
      const [stored, fate] = await Promise.all([
        ports.collections.get(collectionId),
        ports.collections.fate(collectionId),
      ]);
      if (stored === undefined) return undefined;
      return { collection: collectionOf(stored, collectionId), ...(fate && { fate }) };
    },
    fateOf: ({ fate }) => fate,
    statusOf: ({ collection }, fate) => statusOf(collection, fate),
    write: (_subject, fate, was) => ports.collections.moveFate(collectionId, fate, was),
    tell: ({ collection }, change) => tellCollectionChange(collection, change, ports),
  };
}

/** Tells the bus and the recipients. It may be done twice: a repeated event and a repeated mail have the same ids. */
export async function tellCollectionChange(
  collection: Collection,
  change: StatusChange,
  { events, mailer, recipients }: TellCollectionPorts,
): Promise<void> {
  const { collectionId, title } = collection;
  const { status, since, checkId, reason } = change;
  await events.publish({
    type: `collection.${changeOf(status)}`,
    changeId: `${collectionId}/${checkId}`,
    detail: { collectionId, title, reason, since },
  });
  // The mail comes last: what is refused to an address must not keep the others from being told.
  const mail = statusMail(collection, change, recipients);
  if (mail.to.length > 0) await mailer.send(mail);
}
