import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { type ConfigurationItem, configurationKinds } from "../../sources/configuration.ts";
import type { ConfigurationStore } from "../../sources/import-configuration.ts";
import { dynamodb, queryAll, queryPage, whether } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** Writes the table that `sourceStore` reads; for operators, not for the functions of a run. */
export function configurationStore(): ConfigurationStore & {
  remove(item: Pick<ConfigurationItem, "kind" | "id">): Promise<void>;
} {
  const TableName = variable("configurationTable");
  const put = async (Item: object) => {
    await dynamodb.send(new PutCommand({ TableName, Item }));
  };
  const remove = async ({ kind, id }: Pick<ConfigurationItem, "kind" | "id">) => {
    await dynamodb.send(new DeleteCommand({ TableName, Key: { kind, id } }));
  };
  return {
    put,
    remove,
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
    openVersion: (version) =>
      whether(
        dynamodb.send(
          new PutCommand({
            TableName,
            Item: { kind: "version", id: numbered(version.version), ...version },
            ConditionExpression: "attribute_not_exists(id)",
          }),
        ),
      ),
    async apply(change, version) {
      const { type, item } = change;
      const { kind, id } = item;
      await put({
        kind: `version#${numbered(version)}`,
        id: `${kind}#${id}`,
        change: type,
        ...(type !== "added" && { before: type === "changed" ? change.before : item }),
      });
      if (type === "removed") await remove(item);
      else await put({ ...item, version });
    },
  };
}

/** Versions sort as text as they do as numbers. */
function numbered(version: number): string {
  return String(version).padStart(8, "0");
}
