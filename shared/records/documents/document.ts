import type { NewRequest } from "../../web/request/request.ts";
import type { DomainEvent } from "../events/events.ts";
import type { DocumentIdentity } from "./document-identity.ts";

/** The key of a document in the store. */
export interface DocumentKey {
  sourceId: string;
  /** See `recordIdOf`. */
  documentId: string;
}

/** A document as its source lists it. */
export interface ListedDocument {
  /** The identifier of the document in its source: an OAI identifier, the id or link of a feed's entry, or a URL. */
  identifier: DocumentIdentity["identifier"];
  /** The datestamp as the source writes it. */
  datestamp?: string;
  isDeleted?: boolean;
  /** The specs of the OAI-PMH sets that contain the document. */
  sets?: string[];
  title?: string;
  /** Absent for a deleted document. */
  content?: DocumentContent;
  /** The absolute URLs of its files, which are downloaded. Absent when the source has no files to download. */
  fileUrls?: string[];
}

/** The metadata of a document. */
export interface DocumentContent {
  /** The metadata as the source sent them. */
  raw: string;
  /** The media type of `raw`, such as `application/xml`. */
  mediaType: string;
  /** The metadata format, such as `oai_dc`. */
  format: string;
  /** The normalised metadata, as JSON. */
  metadata: Record<string, unknown>;
}

/** The location of a document's content. Documents of the same page share an object. */
export interface ContentLocation {
  key: string;
  mediaType: string;
  format: string;
  /** The first byte in the object, and the number of bytes. */
  raw: [start: number, length: number];
  /** The first byte of the normalised metadata, and the number of bytes. */
  metadata: [start: number, length: number];
}

/** The change of a document: it is `new`, it has changed or is back (`opened`), or its source has `deleted` it. */
export type DocumentChangeType = "new" | "opened" | "deleted";

/** A version of a document. A deletion is a version without content. */
export interface DocumentVersion {
  /** The number of the version; the first version is 1. */
  version: number;
  type: DocumentChangeType;
  /** When the source listed this version. ISO 8601 in UTC. */
  at: string;
  datestamp?: string;
  /** The hash of the raw metadata. */
  hash?: string;
  content?: ContentLocation;
}

/** The parts of a change that an event names. `state` means that the document was deleted and is back. */
export type ChangedPart = "state" | "datestamp" | "content";

/** The effects of a stored change that are still pending. They are carried out in order, each at least once. */
export type PendingEffect =
  /**
   * Publishes the event of the current version. The event is built from the document and not stored, because an item
   * below 1 KiB costs half.
   */
  | { type: "change"; changes?: ChangedPart[] }
  /** Publishes the event of an earlier version. */
  | { type: "event"; event: DomainEvent }
  /** Downloads these files of this version of the document. All other files of the document are gone. */
  | { type: "files"; version: number; urls: string[]; policy?: FileRequestPolicy };

/** How the files of a source are requested. */
export interface FileRequestPolicy extends Pick<NewRequest, "throttleMs" | "userAgent" | "obeyRobots"> {
  /** The maximum size of a file, in bytes. */
  maxBytes?: number;
}

/** A stored document. A deleted document is kept as a tombstone with its last content. */
export interface Document extends DocumentKey {
  identifier: DocumentIdentity["identifier"];
  state: "present" | "deleted";
  title?: string;
  /** The first hundred sets. */
  sets?: string[];
  /** The last ten versions, oldest first. The last one is the current version. */
  versions: [DocumentVersion, ...DocumentVersion[]];
  /** When its source first listed the document. ISO 8601 in UTC, like `changedAt`, the time of its last change. */
  firstListedAt: string;
  changedAt: string;
  /** The last full harvest that listed the document. */
  listedIn?: string;
  /** The last full harvest that asked for the document alone, because its list lacked the document. */
  askedIn?: string;
  /** The page of the last list that named the document, by which repetitions are counted: see `marksOf`. */
  listedOn?: string;
  /** The effects of its changes that are still pending, in order. */
  outbox: PendingEffect[];
  /** When the first of the pending effects was stored. ISO 8601 in UTC; absent when the outbox is empty. */
  pendingSince?: string;
  /** The number of writes. A write that is based on an older state is refused. */
  revision: number;
}

/** Returns the current version of a document. */
export function currentVersion({ versions }: Pick<Document, "versions">): DocumentVersion {
  return versions.at(-1) ?? versions[0];
}
