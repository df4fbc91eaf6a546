import type { Group } from "./group.ts";
import type { Settings } from "./settings.ts";
import type { DeliveryMode, Source } from "./source.ts";

/** A source whose configuration is not valid. */
export interface UnusableSource {
  sourceId: string;
  title: string;
  problem: string;
}

/** A group whose configuration is not valid. */
export interface UnusableGroup {
  groupId: string;
  problem: string;
}

/** The configuration, read-only to the functions. What is not valid throws a ConfigError. */
export interface SourceStore {
  source(sourceId: string): Promise<Source | undefined>;
  /** All sources of a mode, the unusable apart: one bad item must not stop the others. */
  sourcesByMode(mode: DeliveryMode): Promise<{ sources: Source[]; unusable: UnusableSource[] }>;
  /** Those sources that there are, of any mode, the unusable apart. */
  sourcesById(sourceIds: string[]): Promise<{ sources: Source[]; unusable: UnusableSource[] }>;
  settings(): Promise<Settings>;
  group(groupId: string): Promise<Group | undefined>;
  /** All groups, the unusable apart. */
  groups(): Promise<{ groups: Group[]; unusable: UnusableGroup[] }>;
}
