import { buildConfigError } from "../../core/schema-problems.ts";
import { type Group, group } from "./group.ts";
import { type Settings, settings } from "./settings.ts";
import { type Source, source } from "./source.ts";

/** What is harvested, and how it is converted and delivered. */
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
  /** The import that wrote it last; absent when it was written by other means. */
  version?: number;
  /** Set on what operators have added by the API: imports leave it unchanged. */
  addedBy?: "api";
  /**
   * When the API added it, or changed a field of it last; ISO 8601. The same change at another time is another change.
   */
  changedAt?: string;
  /** Counts the writes of imports and of the API, for optimistic locking; absent before the first. */
  revision?: number;
}

/** There is one item of settings. */
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
