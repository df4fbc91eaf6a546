import type { ConfigurationItem } from "../../../shared/sources/configuration.ts";
import type { ConfigurationChange } from "../../../shared/sources/configuration-changes.ts";
import type {
  ConfigurationStore,
  ConfigurationVersion,
} from "../../../shared/sources/import-configuration.ts";

/** The store in memory, with JSON between it and the caller, as with the real one. */
export class MemoryConfiguration implements ConfigurationStore {
  readonly stored = new Map<string, string>();
  readonly versions: ConfigurationVersion[] = [];
  readonly history = new Map<string, ConfigurationChange>();
  /** Changes carried out until the process dies; none when absent. */
  diesAfter: number | undefined;

  async items(): Promise<ConfigurationItem[]> {
    return [...this.stored.values()].map((json) => JSON.parse(json));
  }

  async put(item: ConfigurationItem): Promise<void> {
    this.stored.set(`${item.kind} ${item.id}`, JSON.stringify(item));
  }

  async latestVersion(): Promise<number> {
    return this.versions.at(-1)?.version ?? 0;
  }

  async openVersion(version: ConfigurationVersion): Promise<boolean> {
    if (this.versions.some((one) => one.version === version.version)) return false;
    this.versions.push(version);
    return true;
  }

  async apply(change: ConfigurationChange, version: number): Promise<void> {
    if (this.diesAfter === 0) throw new Error("killed");
    if (this.diesAfter !== undefined) this.diesAfter -= 1;
    const name = `${change.item.kind} ${change.item.id}`;
    this.history.set(`${version} ${name}`, change);
    if (change.type === "removed") this.stored.delete(name);
    else this.stored.set(name, JSON.stringify({ ...change.item, version }));
  }
}
