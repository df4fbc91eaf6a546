import { digest } from "../../core/digest.ts";
import type { DocumentKey } from "../../records/documents/document.ts";
import type { DomainEvent, ItemEventType } from "../../records/events/events.ts";

/** The key of an item in the store. */
export interface ItemKey {
  documentId: string;
  /** See `itemIdOf`. */
  itemId: string;
}

/** A stored file. */
export interface StoredFile {
  /** The key in the bucket of files. */
  key: string;
  /** The content type according to the bytes of the file or, if they do not show it, according to the host. */
  contentType: string;
  sizeBytes: number;
  /** The SHA-256 in hexadecimal. */
  sha256: string;
  /** The validator that the host sent. */
  etag?: string;
}

/** A version of an item. A deletion is a version without a file. */
interface ItemVersion {
  version: number;
  type: "new" | "opened" | "deleted";
  /** ISO 8601, UTC. */
  at: string;
  file?: StoredFile;
  /** The reason for the deletion. */
  reason?: string;
}

interface MissingFile {
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** A file of a document. A deleted item is kept as a tombstone with its last file. */
export interface Item extends ItemKey, DocumentKey {
  url: string;
  /** `refused` means that the URL has never responded with a file. */
  state: "present" | "deleted" | "refused";
  /** The version of the document for which the item was last requested. */
  documentVersion: number;
  /** The last ten versions, oldest first; empty while the state is `refused`. */
  versions: ItemVersion[];
  /** The reason why the last download yielded no file. */
  problem?: { reason: string; at: string };
  /** Set while a present file answers 404 or 410, until it is decided whether it is deleted: see `settleMissing`. */
  missing?: MissingFile;
  /** The events that have not been published yet, in order. */
  outbox: DomainEvent[];
  /** When the first of these events was stored, or the file was missed. ISO 8601 in UTC; absent when neither is pending. */
  pendingSince?: string;
  /** The number of writes. A write that is based on an older state is refused. */
  revision: number;
}

export interface ItemStore {
  /** Reads an item as last written. */
  get(key: ItemKey): Promise<Item | undefined>;
  /** Lists the items of a document, sorted by id. */
  list(documentId: string): Promise<Item[]>;
  /**
   * Writes an item if the stored item has the previous revision, or if none is stored and the revision is 1.
   * @returns whether it was written
   */
  save(item: Item): Promise<boolean>;
  /** Lists the items whose events have been pending since before this time. The list may be a second out of date. */
  listPending(before: string, limit: number): Promise<ItemKey[]>;
  /** Lists the items of a source that are `missing`, the first missed one first. The list may be a second out of date. */
  listMissing(sourceId: string, limit: number): Promise<ItemKey[]>;
  /** Counts the items of a source that are `missing`. Keeps one page of them in memory. */
  countMissing(sourceId: string): Promise<number>;
}

/** Returns the id of the item for a URL of a document. */
export function itemIdOf(documentId: string, url: string): string {
  return digest(documentId, url);
}

/**
 * Returns the current file of an item.
 * @returns undefined when it has none
 */
export function currentFile({ versions, state }: Pick<Item, "versions" | "state">): StoredFile | undefined {
  return state === "present" ? versions.at(-1)?.file : undefined;
}

const maxVersions = 10;

/** Returns the item after a change, with the event of the change. */
export function changeItem(item: Item, change: Omit<ItemVersion, "version">): Item {
  const version = { version: (item.versions.at(-1)?.version ?? 0) + 1, ...change };
  const { problem: _solved, missing: _decided, ...rest } = item;
  return {
    ...rest,
    state: change.type === "deleted" ? "deleted" : "present",
    versions: [...item.versions, version].slice(-maxVersions),
    outbox: [...item.outbox, eventOf(item, version)],
    pendingSince: item.pendingSince ?? change.at,
  };
}

/** Returns a present item whose file answers 404 or 410: since the first time, unless the clock was ahead then. */
export function missItem(item: Item, missing: MissingFile): Item {
  const isAhead = item.missing === undefined || item.missing.at > missing.at;
  return { ...item, ...(isAhead && { missing }), pendingSince: item.pendingSince ?? missing.at };
}

/** Returns the item after its file was found again, or an operator has decided to keep it. */
export function keepItem({ missing: _decided, pendingSince, ...item }: Item): Item {
  return { ...item, ...(item.outbox.length > 0 && pendingSince !== undefined && { pendingSince }) };
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
