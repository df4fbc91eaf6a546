import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describeProblems } from "../../../core/schema-problems.ts";
import { collection, collectionStatusOf, type StoredCollection } from "../../../links/status/collection.ts";
import type { CollectionStore } from "../../../links/status/collection-store.ts";
import type { LinkStatus, StatusChange } from "../../../links/status/link-status.ts";
import { buildSetExpression, dynamodb, getItem, putIf, queryAll, updatedIf, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/**
 * Partition key `kind`, `collection` or `linkStatus`, sort key `collectionId`: so all collections are one query, and so are
 * all link statuses.
 */
export function collectionStore(): CollectionStore {
  const TableName = variable("collectionsTable");
  const get = (kind: string, collectionId: string) =>
    getItem({ TableName, Key: { kind, collectionId }, ConsistentRead: true });
  const all = (kind: string) =>
    queryAll<Record<string, unknown> & { collectionId: string }>({
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kind },
    });
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
    async status(collectionId) {
      const [item, linkStatus] = await Promise.all([
        get("collection", collectionId),
        get("linkStatus", collectionId),
      ]);
      return collectionStatusOf({ hold: isHeld(item) }, linkStatus && toLinkStatus(linkStatus));
    },
    async save({ collectionId, ...attributes }) {
      const { set, names, values } = buildSetExpression(attributes);
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { kind: "collection", collectionId },
          UpdateExpression: set,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: values,
        }),
      );
    },
    async setHold(collectionId, hold, change) {
      const Key = { kind: "collection", collectionId };
      const added = change === undefined ? [] : [change];
      const updated = await updatedIf({
        TableName,
        Key,
        UpdateExpression: `SET #hold = :hold, pendingNotifications = list_append(if_not_exists(pendingNotifications, :none), :added)${hold ? ", suppressedBy = :by" : " REMOVE suppressedBy"}`,
        ConditionExpression:
          "attribute_exists(collectionId) AND (attribute_not_exists(#hold) OR #hold <> :hold)",
        ExpressionAttributeNames: { "#hold": "hold" },
        ExpressionAttributeValues: {
          ":hold": hold,
          ":none": [],
          ":added": added,
          ...(hold && { ":by": "hold" }),
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
    async remove(collectionId) {
      // The collection goes first: without it, no check changes the link status any more.
      for (const kind of ["collection", "linkStatus"]) {
        await dynamodb.send(new DeleteCommand({ TableName, Key: { kind, collectionId } }));
      }
    },
    async linkStatus(collectionId) {
      const item = await get("linkStatus", collectionId);
      return item === undefined ? undefined : toLinkStatus(item);
    },
    async linkStatuses() {
      const items = await all("linkStatus");
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

function isHeld(item: Record<string, unknown> | undefined): boolean {
  return item?.hold === true;
}

function parseItem(item: Record<string, unknown> & { collectionId: string }): StoredCollection {
  const { kind: _kind, pendingNotifications: _pending, suppressedBy: _index, ...value } = item;
  const { data, error } = collection.safeParse(value);
  if (error === undefined) return { collection: data };
  const { collectionId } = item;
  return { unusable: { collectionId, problem: describeProblems(error), hold: isHeld(item) } };
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
  return linkStatus as unknown as LinkStatus;
}
