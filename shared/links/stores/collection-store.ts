import {
  buildSetExpression,
  deleteIf,
  getAll,
  getItem,
  putIf,
  queryAll,
  queryFirst,
  updatedIf,
  updateIf,
} from "../../adapters/aws/dynamodb.ts";
import { variable } from "../../adapters/aws/environment.ts";
import { budgets } from "../../core/budgets.ts";
import { ThrottledError } from "../../core/errors.ts";
import { describeProblems } from "../../core/schema-problems.ts";
import { collection, collectionStatusOf, type Hold, type StoredCollection } from "../status/collection.ts";
import type { CollectionStore } from "../status/collection-store.ts";
import type { LinkStatus, StatusChange } from "../status/link-status.ts";

/** How often a collection is written again because others have written it meanwhile. */
const maxTries = 5;

type StoredItem = Record<string, unknown> & { collectionId: string };

/**
 * Partition key `kind`, `collection` or `linkStatus`, sort key `collectionId`: so all collections are one query, and so are
 * all link statuses.
 */
export function collectionStore(): CollectionStore {
  const TableName = variable("collectionsTable");
  const get = (kind: string, collectionId: string) =>
    getItem({ TableName, Key: { kind, collectionId }, ConsistentRead: true });
  const all = (kind: string) =>
    queryAll<StoredItem>({
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kind },
    });
  const some = async (kind: string, collectionIds: readonly string[]) => {
    const Keys = collectionIds.map((collectionId) => ({ kind, collectionId }));
    return Keys.length === 0 ? [] : getAll<StoredItem>(TableName, { Keys, ConsistentRead: true });
  };
  return {
    async get(collectionId) {
      const item = await get("collection", collectionId);
      return item && parseItem({ ...item, collectionId });
    },
    async all() {
      const read = (await all("collection")).map(parseItem);
      return {
        collections: read.flatMap((each) => ("collection" in each ? [each.collection] : [])),
        unusable: read.flatMap((each) => ("unusable" in each ? [each.unusable] : [])),
      };
    },
    async page({ limit, after }) {
      const items = await queryFirst<StoredItem>(
        {
          TableName,
          KeyConditionExpression: `kind = :kind${after === undefined ? "" : " AND collectionId > :after"}`,
          ExpressionAttributeValues: {
            ":kind": "collection",
            ...(after !== undefined && { ":after": after }),
          },
        },
        limit,
      );
      return items.map(parseItem);
    },
    many: async (collectionIds) => (await some("collection", collectionIds)).map(parseItem),
    async status(collectionId) {
      const [item, linkStatus] = await Promise.all([
        get("collection", collectionId),
        get("linkStatus", collectionId),
      ]);
      return collectionStatusOf({ hold: isHeld(item) }, linkStatus && toLinkStatus(linkStatus));
    },
    async save({ collectionId, ...attributes }, before) {
      const { set, names, values } = buildSetExpression(attributes);
      const Key = { kind: "collection", collectionId };
      const writeAfter = async (revision: number | undefined, isStored: boolean) => {
        const unchanged = unchangedSince(revision, isStored);
        const isWritten = await updateIf({
          TableName,
          Key,
          UpdateExpression: `${set} ADD revision :one`,
          ...unchanged,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: { ...values, ":one": 1, ...unchanged.ExpressionAttributeValues },
        });
        return isWritten ? (revision ?? 0) + 1 : undefined;
      };
      if (before !== undefined) return writeAfter(before.revision, true);
      for (let tries = 1; tries <= maxTries; tries += 1) {
        const item = await get("collection", collectionId);
        const revision = await writeAfter(revisionOf(item), item !== undefined);
        if (revision !== undefined) return revision;
      }
      throw new ThrottledError(
        `others keep changing the collection ${collectionId}`,
        new Date(Date.now() + 1_000),
      );
    },
    async setHold(collectionId, held, change) {
      const Key = { kind: "collection", collectionId };
      const added = change === undefined ? [] : [change];
      const isHeld = held !== undefined;
      const pending = pendingNotificationsOf(await get("collection", collectionId));
      const isFull = pending.length >= budgets.pendingHoldChanges;
      const earlier = isFull ? ":none" : "if_not_exists(pendingNotifications, :none)";
      const updated = await updatedIf({
        TableName,
        Key,
        UpdateExpression: `SET #hold = :hold, pendingNotifications = list_append(${earlier}, :added)${isHeld ? ", suppressedBy = :by, held = :held" : " REMOVE suppressedBy, held"}`,
        ConditionExpression:
          "attribute_exists(collectionId) AND (attribute_not_exists(#hold) OR #hold <> :hold)",
        ExpressionAttributeNames: { "#hold": "hold" },
        ExpressionAttributeValues: {
          ":hold": isHeld,
          ":none": [],
          ":added": added,
          ...(isHeld && { ":by": "hold", ":held": held }),
        },
      });
      return pendingNotificationsOf(updated ?? (await get("collection", collectionId)));
    },
    async clearPendingNotifications(collectionId, sent) {
      await updateIf({
        TableName,
        Key: { kind: "collection", collectionId },
        UpdateExpression: "REMOVE pendingNotifications",
        ConditionExpression: "size(pendingNotifications) = :sent",
        ExpressionAttributeValues: { ":sent": sent.length },
      });
    },
    async remove(collectionId, before) {
      // The collection goes first: without it, no check changes the link status any more.
      const Key = { kind: "collection", collectionId };
      const unchanged = before && unchangedSince(before.revision, true);
      if (!(await deleteIf({ TableName, Key, ...unchanged }))) return false;
      await deleteIf({ TableName, Key: { kind: "linkStatus", collectionId } });
      return true;
    },
    async linkStatus(collectionId) {
      const item = await get("linkStatus", collectionId);
      return item === undefined ? undefined : toLinkStatus(item);
    },
    async linkStatuses() {
      const items = await all("linkStatus");
      return new Map(items.map((item) => [item.collectionId, toLinkStatus(item)]));
    },
    async linkStatusesOf(collectionIds) {
      const items = await some("linkStatus", collectionIds);
      return new Map(items.map((item) => [item.collectionId, toLinkStatus(item)]));
    },
    async replaceLinkStatus(collectionId, linkStatus, was) {
      return putIf({
        TableName,
        Item: {
          kind: "linkStatus",
          collectionId,
          ...linkStatus,
          ...(linkStatus.status === "suppressed" && { suppressedBy: "checks" }),
        },
        ConditionExpression: was === undefined ? "attribute_not_exists(checkId)" : "checkId = :was",
        ...(was !== undefined && { ExpressionAttributeValues: { ":was": was.checkId } }),
      });
    },
  };
}

/** The condition that a collection has not been saved since it had this revision, or was not there. */
function unchangedSince(
  revision: number | undefined,
  isStored: boolean,
): { ConditionExpression: string; ExpressionAttributeValues?: Record<string, unknown> } {
  if (!isStored) return { ConditionExpression: "attribute_not_exists(collectionId)" };
  if (revision === undefined) {
    return { ConditionExpression: "attribute_exists(collectionId) AND attribute_not_exists(revision)" };
  }
  return { ConditionExpression: "revision = :read", ExpressionAttributeValues: { ":read": revision } };
}

function revisionOf(item: Record<string, unknown> | undefined): number | undefined {
  return item?.revision as number | undefined;
}

function isHeld(item: Record<string, unknown> | undefined): boolean {
  return item?.hold === true;
}

function parseItem(item: StoredItem): StoredCollection {
  const {
    kind: _kind,
    pendingNotifications: _pending,
    suppressedBy: _index,
    revision: _revision,
    held,
    ...value
  } = item;
  const revision = revisionOf(item);
  const written = {
    ...(revision !== undefined && { revision }),
    ...(held !== undefined && { held: held as Hold }),
  };
  const { data, error } = collection.safeParse(value);
  if (error === undefined) return { collection: data, ...written };
  const { collectionId } = item;
  return { unusable: { collectionId, problem: describeProblems(error), hold: isHeld(item) }, ...written };
}

function pendingNotificationsOf(item: Record<string, unknown> | undefined): StatusChange[] {
  return (item?.pendingNotifications ?? []) as StatusChange[];
}

/** An item that `replaceLinkStatus` wrote, without its key. */
function toLinkStatus({
  kind: _kind,
  collectionId: _id,
  suppressedBy: _index,
  ...linkStatus
}: Record<string, unknown>): LinkStatus {
  // No schema: only `replaceLinkStatus` writes these items.
  return linkStatus as unknown as LinkStatus;
}
