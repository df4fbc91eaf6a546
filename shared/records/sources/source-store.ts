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

/** Reads the configuration. A single item that is invalid throws a ConfigError. */
export interface SourceStore {
  source(sourceId: string): Promise<StoredSource | undefined>;
  /** All sources of a mode. Invalid ones are listed apart, so that they do not stop the others. */
  sourcesByMode(mode: DeliveryMode): Promise<{ sources: StoredSource[]; unusable: UnusableSource[] }>;
  /** The existing ones among these sources, of any mode; invalid ones apart. */
  sourcesById(sourceIds: string[]): Promise<{ sources: StoredSource[]; unusable: UnusableSource[] }>;
  settings(): Promise<Settings>;
  group(groupId: string): Promise<Group | undefined>;
  /** All groups; invalid ones apart. */
  groups(): Promise<{ groups: Group[]; unusable: UnusableGroup[] }>;
}
