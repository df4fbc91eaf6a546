import type { z } from "zod";
import { buildConfigError, describeProblems } from "../../core/schema-problems.ts";
import { group } from "../../records/sources/group.ts";
import { settings } from "../../records/sources/settings.ts";
import { type StoredSource, source } from "../../records/sources/source.ts";
import type { SourceStore, UnusableSource } from "../../records/sources/source-store.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/** Operators may edit the values, so each value is parsed before use. */
interface StoredItem {
  id: string;
  value?: Record<string, unknown>;
  addedBy?: "api";
  isUnannounced?: true;
}

/** Reads the table with all kinds of configuration. The content of an item is in `value`. */
export function sourceStore(): SourceStore {
  const items = table<StoredItem, { kind: string; id: string }>({
    variable: "configurationTable",
    key: (key) => key,
  });
  const get = async <Value>(schema: z.ZodType<Value>, kind: string, id: string) => {
    const item = await items.get({ kind, id }, { isConsistent: false });
    if (item === undefined) return undefined;
    const { data, error } = schema.safeParse(item.value);
    if (error) throw buildConfigError(error, `${kind} ${id}`);
    return { ...data, ...(kind === "source" && originOf(item)) };
  };
  const all = (kind: string) => items.query({ where: expression`kind = ${kind}` }).all();
  return {
    source: (sourceId) => get(source, "source", sourceId),
    group: (groupId) => get(group, "group", groupId),
    settings: async () => (await get(settings, "settings", "global")) ?? settings.parse({}),
    async sourcesByMode(mode) {
      const stored = await all("source");
      const wanted = stored.filter(
        ({ value }) => value?.deliveryMode === mode && value.newlySynced !== true && value.paused !== true,
      );
      return readSources(wanted);
    },
    async sourcesById(sourceIds) {
      const keys = sourceIds.map((id) => ({ kind: "source", id }));
      return readSources(await items.getMany(keys, { isConsistent: false }));
    },
    async groups() {
      const read = (await all("group")).map(({ id, value }) => ({
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

function readSources(items: StoredItem[]): { sources: StoredSource[]; unusable: UnusableSource[] } {
  const read = items.map(({ id, value, ...item }) => ({
    id,
    title: String(value?.title ?? id),
    parsed: source.safeParse(value),
    origin: originOf(item),
  }));
  return {
    sources: read.flatMap(({ parsed, origin }) => (parsed.success ? [{ ...parsed.data, ...origin }] : [])),
    unusable: read.flatMap(({ id, title, parsed }) =>
      parsed.success ? [] : [{ sourceId: id, title, problem: describeProblems(parsed.error) }],
    ),
  };
}

function originOf({
  addedBy,
  isUnannounced,
}: Pick<StoredItem, "addedBy" | "isUnannounced">): Pick<StoredSource, "isAdded" | "isUnannounced"> {
  return { ...(addedBy === "api" && { isAdded: true }), ...(isUnannounced && { isUnannounced }) };
}
