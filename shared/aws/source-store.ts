import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { SourceStore } from "../ports.ts";
import type { Group } from "../sources/group.ts";
import { settings } from "../sources/settings.ts";
import type { Source } from "../sources/source.ts";
import { dynamodb, queryAll } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** One table for all kinds of configuration: partition key `kind`, sort key `id`. */
export function sourceStore(): SourceStore {
  const TableName = variable("configurationTable");
  const get = async (kind: string, id: string) =>
    (await dynamodb.send(new GetCommand({ TableName, Key: { kind, id } }))).Item?.value;
  return {
    async source(sourceId) {
      const value = await get("source", sourceId);
      return value === undefined ? undefined : (value as Source);
    },
    async sourcesOf(mode) {
      const items = await queryAll<{ value: Source }>({
        TableName,
        KeyConditionExpression: "kind = :kind",
        ExpressionAttributeValues: { ":kind": "source" },
      });
      return items
        .map(({ value }) => value)
        .filter(({ deliveryMode, newlySynced }) => deliveryMode === mode && !newlySynced);
    },
    async group(groupId) {
      const value = await get("group", groupId);
      return value === undefined ? undefined : (value as Group);
    },
    async settings() {
      return settings.parse((await get("settings", "global")) ?? {});
    },
  };
}
