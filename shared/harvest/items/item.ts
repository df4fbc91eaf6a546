import { digest } from "../../core/digest.ts";
import type { DocumentKey } from "../../records/documents/document.ts";
import type { DomainEvent, ItemEventType } from "../../records/events/events.ts";

/** What names an item in the store. */
export interface ItemKey {
  documentId: string;
  /** See `itemIdOf`. */
  itemId: string;
}

/** A stored file. */
export interface StoredFile {
  /** In the bucket of files. */
  key: string;
  /** As its bytes show, or as its host says where bytes do not. */
  contentType: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** The host's validator. */
  etag?: string;
}

/** A version of an item. A deletion is a version without file. */
interface ItemVersion {
  version: number;
  type: "new" | "opened" | "deleted";
  /** ISO 8601, UTC. */
  at: string;
  file?: StoredFile;
  /** Why it was deleted. */
  reason?: string;
}

/** A file of a document. A deleted one stays as a tombstone, with its last file. */
export interface Item extends ItemKey, DocumentKey {
  url: string;
  /** `refused`: its URL has never answered with a file. */
  state: "present" | "deleted" | "refused";
  /** The version of the document for which it was requested last. */
  documentVersion: number;
  /** The last ten, oldest first; empty while refused. */
  versions: ItemVersion[];
  /** Why the last download yielded no file. */
  problem?: { reason: string; at: string };
  /** Events to publish, in order. */
  outbox: DomainEvent[];
  /** When the first of them was stored. ISO 8601, UTC; absent when the outbox is empty. */
  pendingSince?: string;
  /** Counts the writes: a write on an older state is refused. */
  revision: number;
}

export interface ItemStore {
  /** As last written. */
  get(key: ItemKey): Promise<Item | undefined>;
  /** The items of a document, by id. */
  list(documentId: string): Promise<Item[]>;
  /** Writes an item if the stored one has the revision before this one's; revision 1 if there is none. */
  save(item: Item): Promise<boolean>;
  /** The items whose events have been pending since before this time. It may lag behind by a second. */
  listPending(before: string, limit: number): Promise<ItemKey[]>;
}

/** The id of the item that a document has at a URL. */
export function itemIdOf(documentId: string, url: string): string {
  return digest(documentId, url);
}

/** The file as which an item is known; undefined when it has none. */
export function currentFile({ versions, state }: Pick<Item, "versions" | "state">): StoredFile | undefined {
  return state === "present" ? versions.at(-1)?.file : undefined;
}

const maxVersions = 10;

/** The item after a change, with its event. */
export function changeItem(item: Item, change: Omit<ItemVersion, "version">): Item {
  const version = { version: (item.versions.at(-1)?.version ?? 0) + 1, ...change };
  const { problem: _solved, ...rest } = item;
  return {
    ...rest,
    state: change.type === "deleted" ? "deleted" : "present",
    versions: [...item.versions, version].slice(-maxVersions),
    outbox: [...item.outbox, eventOf(item, version)],
    pendingSince: item.pendingSince ?? change.at,
  };
}

function eventOf({ sourceId, documentId, itemId, url }: Item, version: ItemVersion): DomainEvent {
  const documentUri = `/sources/${sourceId}/documents/${documentId}`;
  const type: ItemEventType = `item.${version.type}`;
  const { file, reason } = version;
  return {
    type,
    changeId: `${itemId}/${version.version}`,
    detail: {
      sourceUri: `/sources/${sourceId}`,
      documentUri,
      itemUri: `${documentUri}/items/${itemId}`,
      sourceId,
      url,
      version: version.version,
      at: version.at,
      ...(file && { contentType: file.contentType, sizeBytes: file.sizeBytes, sha256: file.sha256 }),
      ...(reason !== undefined && { reason }),
    },
  };
}
