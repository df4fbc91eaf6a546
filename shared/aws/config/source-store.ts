import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { z } from "zod";
import { configErrorOf, describeProblems } from "../../core/problems.ts";
import type { SourceStore, UnusableSource } from "../../ports.ts";
import { type Group, group } from "../../sources/group.ts";
import { settings } from "../../sources/settings.ts";
import { type Source, source } from "../../sources/source.ts";
import { dynamodb, getAll, queryAll } from "../dynamodb.ts";
import { variable } from "../environment.ts";

interface Stored<Value> {
  id: string;
  value?: Partial<Value>;
}

/** One table for all kinds of configuration: partition key `kind`, sort key `id`, the rest in `value`. */
export function sourceStore(): SourceStore {
  const TableName = variable("configurationTable");
  const get = async <Schema extends z.ZodType>(schema: Schema, kind: string, id: string) => {
    const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { kind, id } }));
    if (Item === undefined) return undefined;
    const parsed = schema.safeParse(Item.value);
    if (!parsed.success) throw configErrorOf(parsed.error, `${kind} ${id}`);
    return parsed.data as z.output<Schema>;
  };
  const all = <Value>(kind: string) =>
    queryAll<Stored<Value>>({
      TableName,
      KeyConditionExpression: "kind = :kind",
      ExpressionAttributeValues: { ":kind": kind },
    });
  return {
    source: (sourceId) => get(source, "source", sourceId),
    group: (groupId) => get(group, "group", groupId),
    settings: async () => (await get(settings, "settings", "global")) ?? settings.parse({}),
    async sourcesOf(mode) {
      const items = await all<Source>("source");
      const wanted = items.filter(({ value }) => value?.deliveryMode === mode && value.newlySynced !== true);
      return readSources(wanted);
    },
    async sourcesNamed(sourceIds) {
      const Keys = sourceIds.map((id) => ({ kind: "source", id }));
      return readSources(await getAll<Stored<Source>>(TableName, { Keys }));
    },
    async groups() {
      const read = (await all<Group>("group")).map(({ id, value }) => ({
        id,
        parsed: group.safeParse(value),
      }));
      return {
        groups: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
        unusable: read.flatMap(({ id, parsed }) =>
          parsed.success ? [] : [{ groupId: id, problem: describeProblems(parsed.error) }],
        ),
      };
    },
  };
}

function readSources(items: Stored<Source>[]): { sources: Source[]; unusable: UnusableSource[] } {
  const read = items.map(({ id, value }) => ({
    id,
    title: String(value?.title ?? id),
    parsed: source.safeParse(value),
  }));
  return {
    sources: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
    unusable: read.flatMap(({ id, title, parsed }) =>
      parsed.success ? [] : [{ sourceId: id, title, problem: describeProblems(parsed.error) }],
    ),
  };
}
