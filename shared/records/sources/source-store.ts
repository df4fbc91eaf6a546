import type { DeliveryMode } from "./delivery-mode.ts";
import type { Group } from "./group.ts";
import type { Settings } from "./settings.ts";
import type { StoredSource } from "./source.ts";

/** A source with an invalid configuration. */
export interface UnusableSource {
  sourceId: string;
  title: string;
  problem: string;
}

/** A group with an invalid configuration. */
export interface UnusableGroup {
  groupId: string;
  problem: string;
}

/** Reads the configuration. When a single item is read and is invalid, a ConfigError is thrown. */
export interface SourceStore {
  source(sourceId: string): Promise<StoredSource | undefined>;
  /** Reads all sources of a mode. Invalid sources are listed separately, so that they do not block the others. */
  sourcesByMode(mode: DeliveryMode): Promise<{ sources: StoredSource[]; unusable: UnusableSource[] }>;
  /** Reads the existing ones among these sources, of any mode. Invalid sources are listed separately. */
  sourcesById(sourceIds: string[]): Promise<{ sources: StoredSource[]; unusable: UnusableSource[] }>;
  settings(): Promise<Settings>;
  group(groupId: string): Promise<Group | undefined>;
  /** Reads all groups. Invalid groups are listed separately. */
  groups(): Promise<{ groups: Group[]; unusable: UnusableGroup[] }>;
}
