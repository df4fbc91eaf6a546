import { digest } from "../../core/digest.ts";
import { type ContentLocation, currentVersion, type Document } from "../../records/documents/document.ts";
import type { StoredRecord } from "../../records/documents/stored-record.ts";
import { searchSet, setSpecOf, stateNames } from "../sets/set-spec.ts";

/**
 * The state of an item as harvesters see it. An item is a record together with its document, which have the same id; either
 * may be absent.
 */
export interface ItemState {
  itemId: string;
  isDeleted: boolean;
  /** The setSpecs, sorted. */
  sets: string[];
  /** The key of the MARC record; absent when the document has no record. */
  marc?: string;
  /** The metadata as their source sent them; absent for a record of an article. */
  raw?: ContentLocation;
  /** A digest of the content. A content that is stored again at another place is not a change. */
  contentDigest: string;
}

/** The record of an item as the change log reads it. */
export interface GivenRecord
  extends Pick<
    StoredRecord,
    "recordId" | "sourceId" | "groupId" | "collectionId" | "deliveryMode" | "state" | "hash" | "recordKey"
  > {
  link?: { status: "active" | "suppressed" | "deleted" };
}

export interface StoredItem {
  record?: GivenRecord | undefined;
  document?: Pick<Document, "sourceId" | "state" | "versions"> | undefined;
}

/**
 * Returns the state of an item: deleted when its source has deleted the document, or link checking has deleted the
 * record. Records of test runs are not given.
 * @param hidden the collections that searches do not show
 * @returns undefined when nothing is given
 */
export function itemStateOf(
  itemId: string,
  { record, document }: StoredItem,
  hidden: ReadonlySet<string>,
): ItemState | undefined {
  const sourceId = record?.sourceId ?? document?.sourceId;
  if (sourceId === undefined || record?.deliveryMode === "TEST") return undefined;
  const { link = { status: "active" } } = record ?? {};
  const isDeleted = document?.state === "deleted" || link.status === "deleted";
  const isFound =
    record !== undefined && !isDeleted && link.status === "active" && !hidden.has(record.collectionId);
  const version = document && currentVersion(document);
  return {
    itemId,
    isDeleted,
    sets: [
      setSpecOf("source", sourceId),
      ...(record === undefined
        ? []
        : [
            setSpecOf("group", record.groupId),
            setSpecOf("collection", record.collectionId),
            setSpecOf("state", stateNames[record.state]),
          ]),
      ...(isFound ? [searchSet] : []),
    ].sort(),
    ...(record && { marc: record.recordKey }),
    ...(version?.content && { raw: version.content }),
    // Only an update replaces the content of a delivered record. The hash leaves out fields that it may change.
    contentDigest: digest(
      (record?.state === "delivered" ? record.recordKey : record?.hash) ?? "",
      version?.hash ?? "",
    ),
  };
}

/** Decides whether two states are the same for harvesters. */
export function isSameState(one: ItemState, other: ItemState): boolean {
  return (
    one.isDeleted === other.isDeleted &&
    one.contentDigest === other.contentDigest &&
    one.sets.join() === other.sets.join()
  );
}
