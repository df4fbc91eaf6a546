import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describeProblems } from "../../core/problems.ts";
import { collection, type StoredCollection, statusOf } from "../../links/fate/collection.ts";
import type { Fate, StatusChange } from "../../links/fate/fate.ts";
import type { CollectionStore } from "../../ports.ts";
import { dynamodb, getItem, putIf, queryAll, settingAll, updatedIf, updateIf } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/**
 * Partition key `kind`, sort key `collectionId`. Of kind `collection` is what operators say of one, of kind `fate` where it
 * stands: so all collections are one query, and so are all fates.
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
      return item && readItem({ ...item, collectionId });
    },
    async all() {
      const read = (await all("collection")).map(readItem);
      return {
        collections: read.flatMap((each) => ("collection" in each ? [each.collection] : [])),
        unusable: read.flatMap((each) => ("unusable" in each ? [each.unusable] : [])),
      };
    },
    async status(collectionId) {
      const [item, fate] = await Promise.all([get("collection", collectionId), get("fate", collectionId)]);
      return statusOf({ hold: isHeld(item) }, fate && asFate(fate));
    },
    async save({ collectionId, ...attributes }) {
      const { set, names, values } = settingAll(attributes);
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
        UpdateExpression: "SET #hold = :hold, untold = list_append(if_not_exists(untold, :none), :added)",
        ConditionExpression:
          "attribute_exists(collectionId) AND (attribute_not_exists(#hold) OR #hold <> :hold)",
        ExpressionAttributeNames: { "#hold": "hold" },
        ExpressionAttributeValues: { ":hold": hold, ":none": [], ":added": added },
      });
      return untoldOf(updated ?? (await get("collection", collectionId)));
    },
    async toldHold(collectionId, told) {
      await updateIf({
        TableName,
        Key: { kind: "collection", collectionId },
        UpdateExpression: "REMOVE untold",
        ConditionExpression: "size(untold) = :told",
        ExpressionAttributeValues: { ":told": told.length },
      });
    },
    async remove(collectionId) {
      // What operators say of it goes first: without that, no check moves the fate any more.
      for (const kind of ["collection", "fate"]) {
        await dynamodb.send(new DeleteCommand({ TableName, Key: { kind, collectionId } }));
      }
    },
    async fate(collectionId) {
      const item = await get("fate", collectionId);
      return item === undefined ? undefined : asFate(item);
    },
    async fates() {
      const items = await all("fate");
      return new Map(items.map((item) => [item.collectionId, asFate(item)]));
    },
    async moveFate(collectionId, fate, was) {
      return putIf({
        TableName,
        Item: { kind: "fate", collectionId, ...fate },
        ConditionExpression: was === undefined ? "attribute_not_exists(checkId)" : "checkId = :was",
        ...(was !== undefined && { ExpressionAttributeValues: { ":was": was.checkId } }),
      });
    },
  };
}

function isHeld(item: Record<string, unknown> | undefined): boolean {
  return item?.hold === true;
}

function readItem(item: Record<string, unknown> & { collectionId: string }): StoredCollection {
  const { kind: _kind, untold: _untold, ...value } = item;
  const { data, error } = collection.safeParse(value);
  if (error === undefined) return { collection: data };
  const { collectionId } = item;
  return { unusable: { collectionId, problem: describeProblems(error), hold: isHeld(item) } };
}

/** What `setHold` has written. */
function untoldOf(item: Record<string, unknown> | undefined): StatusChange[] {
  return (item?.untold ?? []) as StatusChange[];
}

/** What `moveFate` has written: the item without its key is the fate, which its type cannot say. */
function asFate({ kind: _kind, collectionId: _id, ...fate }: Record<string, unknown>): Fate {
  return fate as unknown as Fate;
}
