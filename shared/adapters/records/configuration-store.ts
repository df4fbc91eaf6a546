import type { ConfigurationStore } from "../../records/sources/conf/configuration-store.ts";
import { type ConfigurationItem, configurationKinds } from "../../records/sources/configuration.ts";
import {
  deleteIf,
  deleteItem,
  getItem,
  putIf,
  putItem,
  queryAll,
  queryFirst,
  queryPage,
  updateIf,
} from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

/** Writes the table that `sourceStore` reads. Operators and imports use it; the functions of a run do not. */
export function configurationStore(): ConfigurationStore & {
  /** Deletes an item, whatever it is. */
  discard(item: Pick<ConfigurationItem, "kind" | "id">): Promise<void>;
} {
  const TableName = variable("configurationTable");
  const put = async (Item: object) => {
    await putItem({ TableName, Item });
  };
  const discard = async ({ kind, id }: Pick<ConfigurationItem, "kind" | "id">) => {
    await deleteItem({ TableName, Key: { kind, id } });
  };
  const putIfUnchanged = (item: ConfigurationItem, before: ConfigurationItem | undefined) =>
    putIf({
      TableName,
      Item: { ...item, revision: (before?.revision ?? 0) + 1 },
      ...unchangedSince(before),
    });
  return {
    put,
    discard,
    add: (item) => putIfUnchanged(item, undefined),
    remove: (before) => {
      const { kind, id } = before;
      return deleteIf({ TableName, Key: { kind, id }, ...unchangedSince(before) });
    },
    item: ({ kind, id }) =>
      getItem<ConfigurationItem>({ TableName, Key: { kind, id }, ConsistentRead: true }),
    page: (kind, { limit, after }) =>
      queryFirst<ConfigurationItem>(
        {
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: `kind = :kind${after === undefined ? "" : " AND id > :after"}`,
          ExpressionAttributeValues: { ":kind": kind, ...(after !== undefined && { ":after": after }) },
        },
        limit,
      ),
    replace: putIfUnchanged,
    setFields({ kind, id }, fields, before) {
      const unchanged = before === undefined ? undefined : unchangedSince(before);
      const entries = Object.entries(fields);
      const set = entries.flatMap(([, value], n) => (value === undefined ? [] : [`#value.#f${n} = :f${n}`]));
      const removed = entries.flatMap(([, value], n) => (value === undefined ? [`#value.#f${n}`] : []));
      const remove = removed.length === 0 ? "" : ` REMOVE ${removed.join(", ")}`;
      return updateIf({
        TableName,
        Key: { kind, id },
        UpdateExpression: `SET ${set.join(", ")}${remove} ADD revision :one`,
        ConditionExpression: unchanged?.ConditionExpression ?? "attribute_exists(id)",
        ExpressionAttributeNames: {
          "#value": "value",
          ...Object.fromEntries(entries.map(([name], n) => [`#f${n}`, name])),
        },
        ExpressionAttributeValues: {
          ...unchanged?.ExpressionAttributeValues,
          ":one": 1,
          ...Object.fromEntries(
            entries.flatMap(([, value], n) => (value === undefined ? [] : [[`:f${n}`, value]])),
          ),
        },
      });
    },
    async items() {
      const ofKinds = await Promise.all(
        configurationKinds.map((kind) =>
          queryAll<ConfigurationItem>({
            TableName,
            ConsistentRead: true,
            KeyConditionExpression: "kind = :kind",
            ExpressionAttributeValues: { ":kind": kind },
          }),
        ),
      );
      return ofKinds.flat();
    },
    async latestVersion() {
      const { items } = await queryPage<{ version: number }>({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: "kind = :kind",
        ExpressionAttributeValues: { ":kind": "version" },
        ScanIndexForward: false,
        Limit: 1,
      });
      return items[0]?.version ?? 0;
    },
    claimVersion: (version) =>
      putIf({
        TableName,
        Item: { kind: "version", id: paddedVersion(version.version), ...version },
        ConditionExpression: "attribute_not_exists(id)",
      }),
    async apply(change, version) {
      const { type, item } = change;
      const { kind, id } = item;
      await put({
        kind: `version#${paddedVersion(version)}`,
        id: `${kind}#${id}`,
        change: type,
        ...(type !== "added" && { before: type === "changed" ? change.before : item }),
      });
      if (type !== "removed") {
        return putIfUnchanged({ ...item, version }, type === "changed" ? change.before : undefined);
      }
      return deleteIf({ TableName, Key: { kind, id }, ...unchangedSince(item) });
    },
  };
}

/** The condition that an item has not changed since it was read, or still does not exist. */
function unchangedSince(before: ConfigurationItem | undefined): {
  ConditionExpression: string;
  ExpressionAttributeValues?: Record<string, unknown>;
} {
  if (before === undefined) return { ConditionExpression: "attribute_not_exists(id)" };
  if (before.revision === undefined)
    return { ConditionExpression: "attribute_exists(id) AND attribute_not_exists(revision)" };
  return {
    ConditionExpression: "revision = :read",
    ExpressionAttributeValues: { ":read": before.revision },
  };
}

/** Pads versions so that they sort as text in numerical order. */
export function paddedVersion(version: number): string {
  return String(version).padStart(8, "0");
}
