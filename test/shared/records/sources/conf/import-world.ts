import { importConfiguration } from "../../../../../shared/records/sources/conf/import-configuration.ts";
import {
  describeOtherImport,
  isCompleted,
  summarizeImport,
} from "../../../../../shared/records/sources/conf/import-summary.ts";
import type { ListFolder } from "../../../../../shared/records/sources/conf/list-warnings.ts";
import type { ListFiles } from "../../../../../shared/records/sources/list-files.ts";
import { configuration, journal } from "../fixtures.ts";
import { MemoryConfiguration } from "../memory-configuration.ts";

export const ini = configuration(journal);
export const other = `\n[Another journal]\n${journal.join("\n").replace("4711", "4712")}`;

/** Lists that nothing is said of. */
export const emptyLists: ListFiles = { nameBlacklist: "", genreKeywords: "", licences: "" };

/** A store, a clock, and imports into the one by the other. */
class ImportWorld {
  readonly store = new MemoryConfiguration();
  time = new Date("2026-11-20T10:00:00Z");

  /** @throws Error that says why, when another import is in progress */
  async importText(
    text: string,
    files: ListFiles = {},
    {
      dryRun = false,
      allowRemovals = false,
      isStrict = false,
      listFolder,
      signal = new AbortController().signal,
    }: {
      dryRun?: boolean;
      allowRemovals?: boolean;
      isStrict?: boolean;
      listFolder?: ListFolder;
      signal?: AbortSignal;
    } = {},
  ) {
    const input = { ini: text, files, ...(listFolder && { listFolder }) };
    const options = { dryRun, allowRemovals, isStrict, signal, by: "a test", now: () => this.time };
    const outcome = await importConfiguration(
      input,
      { configuration: this.store, leases: this.store.leases, quality: this.store.quality },
      options,
    );
    if (!isCompleted(outcome)) throw new Error(describeOtherImport(outcome));
    const summary = summarizeImport(outcome);
    return { ...summary, names: summary.changes?.map(({ type, id, fields }) => [type, id, fields ?? []]) };
  }
}

export let world: ImportWorld;
export let store: MemoryConfiguration;

/** Before each test: a world of its own. */
export function begin(): void {
  world = new ImportWorld();
  store = world.store;
}

/** Imports into the world of the test. */
export const take: ImportWorld["importText"] = (...args) => world.importText(...args);
