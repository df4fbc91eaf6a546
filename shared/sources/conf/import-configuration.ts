import { ThrottledError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { type LeaseStore, withLease } from "../../core/lease.ts";
import { type Configuration, type ConfigurationItem, configurationItems } from "../configuration.ts";
import { type ConfigurationChange, diffConfiguration } from "./configuration-changes.ts";
import { type EnhancementFiles, enhancementFileNames } from "./enhancement-files.ts";
import { importIni, type ParsedConfiguration } from "./import-ini.ts";
import type { IniProblem } from "./ini.ts";
import { type ListFolder, warningsOfEmptiedLists, warningsOfMissingLists } from "./missing-lists.ts";
import { removalProblems, warningsOfRemovals } from "./removals.ts";
import { sizeProblem } from "./stored-size.ts";

/** Where the configuration is kept. Imports and operators write it; the functions of a run read. */
export interface ConfigurationStore {
  items(): Promise<ConfigurationItem[]>;
  item(of: Pick<ConfigurationItem, "kind" | "id">): Promise<ConfigurationItem | undefined>;
  /** The items of a kind in the order of their ids, from after the id `after` on where that is given. */
  page(
    kind: ConfigurationItem["kind"],
    of: { limit: number; after?: string | undefined },
  ): Promise<ConfigurationItem[]>;
  /** Writes an item, if it is still as it was read; `false` otherwise. */
  replace(item: ConfigurationItem, before: ConfigurationItem): Promise<boolean>;
  /** Writes an item whole, whatever was there before, beside the versions. */
  put(item: ConfigurationItem): Promise<void>;
  /** Writes these fields of an item's value, and no others; `false` when there is no such item. */
  setFields(of: Pick<ConfigurationItem, "kind" | "id">, fields: Record<string, unknown>): Promise<boolean>;
  /** 0 when there was no import yet. */
  latestVersion(): Promise<number>;
  /** Takes the next number for a version; `false` when somebody else has it. */
  claimVersion(version: ConfigurationVersion): Promise<boolean>;
  /**
   * Notes the change, with what was there before, under its version; then carries it out. `false` when the item has been
   * written since the change was found: it stays as it is then.
   */
  apply(change: ConfigurationChange, version: number): Promise<boolean>;
}

export interface ImportPorts {
  configuration: ConfigurationStore;
  leases: LeaseStore;
}

/** One import, and how much it changed. */
export interface ConfigurationVersion {
  version: number;
  /** ISO 8601, UTC. */
  importedAt: string;
  added: number;
  changed: number;
  removed: number;
}

export interface ConfigurationInput {
  ini: string;
  files: EnhancementFiles;
  /** Where the files were looked for; absent when they are given one by one. */
  listFolder?: ListFolder;
}

export type ImportOutcome =
  | { type: "refused"; problems: IniProblem[]; warnings: string[] }
  | {
      type: "imported";
      configuration: Configuration;
      changes: ConfigurationChange[];
      /** Items that stay as they are. */
      unchanged: number;
      /** Absent when nothing changed, or nothing was to be written. */
      version?: number;
      warnings: string[];
    }
  /** Another import is under way. */
  | { type: "in-progress"; by: string; since: string; untilMs: number };

export interface ImportOptions {
  /** Tells what would change, and changes nothing. */
  dryRun: boolean;
  /** Many removals, and those of groups with a receiver, are meant. */
  allowRemovals: boolean;
  /** By what the import is made, for others that come meanwhile. */
  by: string;
  now: () => Date;
}

/** Two imports at once would leave a configuration that neither of their files describes. */
const importLeaseKey = "import";

/** An import that was killed blocks the next one for so long; its writes take seconds. */
const leaseMs = 120_000;

const maxParallelWrites = 16;

/** How often an import looks again at what others have written meanwhile. */
const maxRounds = 5;
const retryAfterMs = 10_000;

/**
 * Brings the stored configuration to what the file says, item by item: what has not changed is not written. A list that
 * is not given stays as it is. An item that somebody else writes meanwhile is compared once more, so that what an operator
 * sets is kept. An import that broke off is finished by the same one again, which makes a version of its own for the rest;
 * until then every source has its group, and nothing is gone. One import writes at a time.
 * @throws ThrottledError when others go on writing the same items
 */
export async function importConfiguration(
  input: ConfigurationInput,
  { configuration: store, leases }: ImportPorts,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const imported = importIni(input.ini, input.files);
  if (imported.type === "refused") return imported;
  if (options.dryRun) return applyImport(imported, input, { store, options, hold: async () => true });

  const { by, now } = options;
  const note = { by, since: now().toISOString() };
  const work = await withLease(
    { key: importLeaseKey, forMs: leaseMs, note },
    { leases, clock: { now } },
    (extend) => applyImport(imported, input, { store, options, hold: extend }),
  );
  if (work.type === "done") return work.result;
  const { untilMs, note: other = {} } = work.lease;
  return { type: "in-progress", by: other.by ?? "", since: other.since ?? "", untilMs };
}

/** @param hold extends the lease; `false` when another import has taken it over */
async function applyImport(
  imported: Extract<ParsedConfiguration, { type: "imported" }>,
  { files, listFolder }: ConfigurationInput,
  {
    store,
    options,
    hold,
  }: { store: ConfigurationStore; options: ImportOptions; hold: () => Promise<boolean> },
): Promise<ImportOutcome> {
  const compare = async () => {
    const stored = await store.items();
    const { settings, groups, sources } = imported;
    const configuration = { settings: { ...settings, ...storedLists(files, stored) }, groups, sources };
    const items = configurationItems(configuration);
    return { stored, configuration, items, changes: diffConfiguration(stored, items) };
  };
  const { stored, configuration, items, changes } = await compare();
  const lists = storedSettings(stored);
  const warnings = [
    ...imported.warnings,
    ...warningsOfMissingLists(files, { place: listFolder, stored: lists }),
    ...warningsOfEmptiedLists(files, { given: imported.settings, stored: lists }),
    ...warningsOfRemovals(changes),
  ];
  // A list that is not given counts as it is stored.
  const problem = sizeProblem(configuration.settings);
  const problems = [
    ...(problem === undefined ? [] : [`the global section, with the stored lists, ${problem}`]),
    ...(options.allowRemovals ? [] : removalProblems(changes, stored)),
  ];
  if (problems.length > 0) {
    return { type: "refused", problems: problems.map((message) => ({ line: 1, message })), warnings };
  }
  const added = changes.filter(({ type }) => type === "added").length;
  const changed = changes.filter(({ type }) => type === "changed").length;
  const removed = changes.length - added - changed;
  const outcome = {
    type: "imported" as const,
    configuration,
    changes,
    unchanged: items.length - added - changed,
    warnings,
  };
  if (options.dryRun || changes.length === 0) return outcome;

  const importedAt = options.now().toISOString();
  const version = await nextVersion(store, { importedAt, added, changed, removed });
  for (let round = 1, left = changes; round <= maxRounds; round += 1, left = (await compare()).changes) {
    const apply = (change: ConfigurationChange) => store.apply(change, version);
    if (await applyInSteps(left, { apply, hold })) return { ...outcome, version };
  }
  const retryAt = new Date(options.now().getTime() + retryAfterMs);
  throw new ThrottledError("the configuration is being changed by somebody else: import once more", retryAt);
}

/**
 * Applies changes so that what is stored can be used after each of them: what sources go by before the sources, and what
 * is gone at the end. `false` when an item was written meanwhile, or another import has begun; the steps that follow are
 * left out then.
 */
async function applyInSteps(
  changes: ConfigurationChange[],
  { apply, hold }: { apply: (change: ConfigurationChange) => Promise<boolean>; hold: () => Promise<boolean> },
): Promise<boolean> {
  const isRemoval = ({ type }: ConfigurationChange) => type === "removed";
  const isSource = ({ item }: ConfigurationChange) => item.kind === "source";
  const steps = [
    changes.filter((change) => !isRemoval(change) && !isSource(change)),
    changes.filter((change) => !isRemoval(change) && isSource(change)),
    changes.filter((change) => isRemoval(change) && isSource(change)),
    changes.filter((change) => isRemoval(change) && !isSource(change)),
  ];
  for (const step of steps) {
    if (step.length > 0 && !(await hold())) return false;
    const applied = await inParallel(step, maxParallelWrites, apply);
    if (!applied.every((isApplied) => isApplied)) return false;
  }
  return true;
}

async function nextVersion(
  store: ConfigurationStore,
  counts: Omit<ConfigurationVersion, "version">,
): Promise<number> {
  for (;;) {
    const version = (await store.latestVersion()) + 1;
    if (await store.claimVersion({ version, ...counts })) return version;
  }
}

function storedSettings(stored: ConfigurationItem[]): ConfigurationItem["value"] {
  return stored.find(({ kind }) => kind === "settings")?.value ?? {};
}

function storedLists(files: EnhancementFiles, stored: ConfigurationItem[]): object {
  const value = storedSettings(stored);
  const names = Object.keys(enhancementFileNames) as (keyof EnhancementFiles)[];
  const kept = names.filter((name) => files[name] === undefined && value[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, value[name]]));
}
