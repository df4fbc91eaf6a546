import { buildConfigError } from "../../core/schema-problems.ts";
import { type Group, group } from "./group.ts";
import { type Settings, settings } from "./settings.ts";
import { type Source, source } from "./source.ts";

/** The configuration of harvest, conversion and delivery. */
export interface Configuration {
  settings: Settings;
  groups: Group[];
  sources: Source[];
}

export const configurationKinds = ["settings", "group", "source"] as const;
export type ConfigurationKind = (typeof configurationKinds)[number];

/** The unit in which the configuration is stored and changed. */
export interface ConfigurationItem {
  kind: ConfigurationKind;
  id: string;
  value: Record<string, unknown>;
  /** The version of the import that last wrote the item; absent when the item was written by other means. */
  version?: number;
  /** Set for an item that operators have added through the API. Imports leave it unchanged. */
  addedBy?: "api";
  /** When the API added the source. ISO 8601. A source that is deleted and added again is another source. */
  createdAt?: string;
  /** Set until `source.new` is published. */
  isUnannounced?: true;
  /**
   * When the API added the item, or last changed one of its fields. ISO 8601. The same change at another time is a
   * different change.
   */
  changedAt?: string;
  /** The number of writes by imports and by the API, for optimistic locking; absent before the first write. */
  revision?: number;
}

/** The id of the settings, of which there is only one item. */
export const settingsId = "global";

export function configurationItems(configuration: Configuration): ConfigurationItem[] {
  const { settings: whole, groups, sources } = configuration;
  return [
    { kind: "settings", id: settingsId, value: { ...whole } },
    ...groups.map((one): ConfigurationItem => ({ kind: "group", id: one.groupId, value: { ...one } })),
    ...sources.map((one): ConfigurationItem => ({ kind: "source", id: one.sourceId, value: { ...one } })),
  ];
}

/**
 * Parses items into a configuration, in their order.
 * @throws ConfigError that names the first invalid item
 */
export function configurationOf(items: ConfigurationItem[]): Configuration {
  const ofKind = (kind: ConfigurationKind) => items.filter((item) => item.kind === kind);
  const [whole = { kind: "settings" as const, id: settingsId, value: {} }] = ofKind("settings");
  return {
    settings: parseItem(settings, whole),
    groups: ofKind("group").map((item) => parseItem(group, item)),
    sources: ofKind("source").map((item) => parseItem(source, item)),
  };
}

function parseItem<Schema extends typeof settings | typeof group | typeof source>(
  schema: Schema,
  { kind, id, value }: ConfigurationItem,
): ReturnType<Schema["parse"]> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw buildConfigError(parsed.error, `${kind} ${id}`);
  return parsed.data as ReturnType<Schema["parse"]>;
}
