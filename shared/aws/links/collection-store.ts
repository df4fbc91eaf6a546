import { GetCommand, PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { configErrorOf, describeProblems } from "../../core/problems.ts";
import { collection, statusOf } from "../../links/fate/collection.ts";
import type { Fate } from "../../links/fate/fate.ts";
import type { CollectionStore } from "../../ports.ts";
import { dynamodb, queryAll, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/**
 * Partition key `kind`, sort key `collectionId`. Of kind `collection` is what operators say of one, of kind `fate` where it
 * stands: so all collections are one query, and so are all fates.
 */
export function collectionStore(): CollectionStore {
  const TableName = variable("collectionsTable");
  const get = async (kind: string, collectionId: string) =>
    (await dynamodb.send(new GetCommand({ TableName, Key: { kind, collectionId }, ConsistentRead: true })))
      .Item;
  const all = (kind: string) =>
    queryAll<Record<string, unknown> & { collectionId: string }>({
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kind },
    });
  return {
    async get(collectionId) {
      const item = await get("collection", collectionId);
      if (item === undefined) return undefined;
      const { data, error } = collection.safeParse(withoutKind(item));
      if (error) throw configErrorOf(error, `collection ${collectionId}`);
      return data;
    },
    async all() {
      const read = (await all("collection")).map((item) => ({
        collectionId: item.collectionId,
        hold: isHeld(item),
        parsed: collection.safeParse(withoutKind(item)),
      }));
      return {
        collections: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
        unusable: read.flatMap(({ collectionId, hold, parsed }) =>
          parsed.success ? [] : [{ collectionId, problem: describeProblems(parsed.error), hold }],
        ),
      };
    },
    async status(collectionId) {
      const [item, fate] = await Promise.all([get("collection", collectionId), get("fate", collectionId)]);
      return statusOf({ hold: isHeld(item) }, fate && asFate(fate));
    },
    async save({ collectionId, ...attributes }) {
      const names = Object.keys(attributes);
      await dynamodb.send(
        new UpdateCommand({
          TableName,
          Key: { kind: "collection", collectionId },
          UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(", ")}`,
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(
            Object.entries(attributes).map(([name, value]) => [`:${name}`, value]),
          ),
        }),
      );
    },
    async setHold(collectionId, hold) {
      return whether(
        dynamodb.send(
          new UpdateCommand({
            TableName,
            Key: { kind: "collection", collectionId },
            UpdateExpression: "SET #hold = :hold",
            ConditionExpression: "attribute_exists(collectionId)",
            ExpressionAttributeNames: { "#hold": "hold" },
            ExpressionAttributeValues: { ":hold": hold },
          }),
        ),
      );
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
      return whether(
        dynamodb.send(
          new PutCommand({
            TableName,
            Item: { kind: "fate", collectionId, ...fate },
            ConditionExpression: was === undefined ? "attribute_not_exists(checkId)" : "checkId = :was",
            ...(was !== undefined && { ExpressionAttributeValues: { ":was": was.checkId } }),
          }),
        ),
      );
    },
  };
}

function isHeld(item: Record<string, unknown> | undefined): boolean {
  return item?.hold === true;
}

function withoutKind({ kind: _kind, ...item }: Record<string, unknown>): Record<string, unknown> {
  return item;
}

function asFate({ kind: _kind, collectionId: _id, ...fate }: Record<string, unknown>): Fate {
  return fate as unknown as Fate;
}
