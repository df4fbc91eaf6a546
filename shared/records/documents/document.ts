import type { NewRequest } from "../../web/request/request.ts";
import type { DomainEvent } from "../events/events.ts";
import type { DocumentIdentity } from "./document-identity.ts";

/** What names a document in the store. */
export interface DocumentKey {
  sourceId: string;
  /** See `recordIdOf`. */
  documentId: string;
}

/** A document as its source lists it. */
export interface ListedDocument {
  /** Its identifier in the source: an OAI identifier; a feed's id or link; a URL. */
  identifier: DocumentIdentity["identifier"];
  /** As the source writes it. */
  datestamp?: string;
  isDeleted?: boolean;
  /** The specs of the OAI-PMH sets that it is in. */
  sets?: string[];
  title?: string;
  /** Absent from a deleted document. */
  content?: DocumentContent;
  /** The absolute URLs of its files, which are downloaded. Absent: the source has no files to download. */
  fileUrls?: string[];
}

/** The metadata of a document. */
export interface DocumentContent {
  /** As the source gave them. */
  raw: string;
  /** The media type of `raw`, such as `application/xml`. */
  mediaType: string;
  /** The metadata format, such as `oai_dc`. */
  format: string;
  /** The normalised form, as JSON. */
  metadata: Record<string, unknown>;
}

/** Where the content of a document is: documents of one page share an object. */
export interface ContentLocation {
  key: string;
  mediaType: string;
  format: string;
  /** The first byte in the object, and the number of bytes. */
  raw: [start: number, length: number];
  /** The same for the normalised form. */
  metadata: [start: number, length: number];
}

/** What happened to a document: it is `new`, changed or back (`opened`), or `deleted` in its source. */
export type DocumentChangeType = "new" | "opened" | "deleted";

/** A version of a document. A deletion is a version without content. */
export interface DocumentVersion {
  /** 1 for the first. */
  version: number;
  type: DocumentChangeType;
  /** When the source listed it so. ISO 8601, UTC. */
  at: string;
  datestamp?: string;
  /** The hash of the raw metadata. */
  hash?: string;
  content?: ContentLocation;
}

/** The parts of a change that an event names. `state`: it was deleted, and is back. */
export type ChangedPart = "state" | "datestamp" | "content";

/** The pending effects of a stored change. Done in order, at least once. */
export type PendingEffect =
  /** Publish the event of the current version, which the document itself says: an item below 1 KiB costs half. */
  | { type: "change"; changes?: ChangedPart[] }
  /** Publish the event of an earlier version. */
  | { type: "event"; event: DomainEvent }
  /** Download these files of this version of the document; its other files are gone. */
  | { type: "files"; version: number; urls: string[]; policy?: FileRequestPolicy };

/** How the files of a source are requested. */
export interface FileRequestPolicy extends Pick<NewRequest, "throttleMs" | "userAgent" | "obeyRobots"> {
  /** The size of one file. */
  maxBytes?: number;
}

/** A stored document. A deleted one stays as a tombstone, with its last content. */
export interface Document extends DocumentKey {
  identifier: DocumentIdentity["identifier"];
  state: "present" | "deleted";
  title?: string;
  /** The first hundred. */
  sets?: string[];
  /** The last ten, oldest first. The last one is the document as it is. */
  versions: [DocumentVersion, ...DocumentVersion[]];
  /** ISO 8601, UTC: when its source first listed it, and when it last changed. */
  firstListedAt: string;
  changedAt: string;
  /** The last full harvest that listed it. */
  listedIn?: string;
  /** What is still to be done for its changes, in order. */
  outbox: PendingEffect[];
  /** When the first of them was stored. ISO 8601, UTC; absent when the outbox is empty. */
  pendingSince?: string;
  /** Counts the writes: a write on an older state is refused. */
  revision: number;
}

/** The version as which the document is known. */
export function currentVersion({ versions }: Pick<Document, "versions">): DocumentVersion {
  return versions.at(-1) ?? versions[0];
}
