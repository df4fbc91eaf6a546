import { ThrottledError } from "../../core/errors.ts";
import { inParallel } from "../../core/in-parallel.ts";
import { type LeaseStore, withLease } from "../../core/lease.ts";
import { type Configuration, type ConfigurationItem, configurationItems } from "../configuration.ts";
import { type ConfigurationChange, diffConfiguration } from "./configuration-changes.ts";
import type { ConfigurationStore, ConfigurationVersion } from "./configuration-store.ts";
import { importIni, listProblems, type ParsedConfiguration } from "./import-ini.ts";
import type { IniProblem } from "./ini.ts";
import { type ListFiles, listFileNames } from "./list-files.ts";
import { type ListFolder, warningsOfEmptiedLists, warningsOfMissingLists } from "./list-warnings.ts";
import { removalProblems, warningsOfRemovals, withholdRemovals } from "./removals.ts";
import { sizeProblem } from "./stored-size.ts";
import { storedSourcesOf } from "./unusable-section.ts";

export interface ImportPorts {
  configuration: ConfigurationStore;
  leases: LeaseStore;
}

export interface ConfigurationInput {
  ini: string;
  files: ListFiles;
  /** Where the files were looked for; absent when they came one by one. */
  listFolder?: ListFolder;
}

export type ImportOutcome =
  | { type: "refused"; problems: IniProblem[]; warnings: string[] }
  | {
      type: "imported";
      configuration: Configuration;
      changes: ConfigurationChange[];
      /** Sections of journals that are left out. */
      unusable: LeftOutSection[];
      /** Why they are left out. */
      problems: IniProblem[];
      /** How many items stay as they are. */
      unchanged: number;
      /** Absent when nothing changed, or nothing was to be written. */
      version?: number;
      warnings: string[];
    }
  /** Another import has been done since the one that the caller knows. */
  | { type: "stale" }
  /** Another import is under way. */
  | { type: "in-progress"; by: string; since: string; untilMs: number };

export interface LeftOutSection {
  /** Empty when its header cannot be read. */
  title: string;
  /** Of its header. */
  line: number;
  /** The ids of the stored sources that it is about, which stay as they are; none of a new journal. */
  kept: string[];
}

interface ImportOptions {
  /** Refuses the file for any problem, also one that would leave out an entry or a journal. */
  isStrict: boolean;
  /** Reports the changes and writes nothing. */
  dryRun: boolean;
  /** Permits many removals, and those of groups with a receiver. */
  allowRemovals: boolean;
  /** Refuses the import unless the latest one is meant; 0 stands for none. */
  isMeant?: ((latestVersion: number) => boolean) | undefined;
  /** Who imports, in words, for imports that are refused meanwhile. */
  by: string;
  now: () => Date;
}

/** Two imports at once would leave a configuration that neither of their files describes. */
export const importLeaseKey = "import";

/** An import that was killed blocks the next one for so long; its writes take seconds. */
export const importLeaseMs = 120_000;

const maxParallelWrites = 16;

/** How often an import compares again because others have written meanwhile. */
const maxRounds = 5;
const retryAfterMs = 10_000;

/**
 * Changes the stored configuration to what the file says, item by item. Unchanged items are not written. A journal
 * whose section has a problem stays as it is stored, and nothing is removed then unless removals are permitted: the
 * file is damaged, and may lack more. A list that is not given keeps its stored value. An item that an operator
 * writes meanwhile is compared again, so that the operator's settings are kept. After a crash the next import of the
 * same file does the rest, as a version of its own; until then every source has its group, and nothing is lost.
 * @throws ThrottledError when others keep writing the same items
 */
export async function importConfiguration(
  input: ConfigurationInput,
  { configuration: store, leases }: ImportPorts,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const imported = importIni(input.ini, input.files, { isStrict: options.isStrict });
  if (imported.type === "refused") return imported;
  if (options.dryRun) return applyImport(imported, input, { store, options, hold: async () => true });

  const { by, now } = options;
  const note = { by, since: now().toISOString() };
  const work = await withLease(
    { key: importLeaseKey, forMs: importLeaseMs, note },
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
    const all = diffConfiguration(stored, items);
    const { changes, warnings } = withholdRemovals(all, {
      unusable: imported.unusable,
      stored,
      allowRemovals: options.allowRemovals,
    });
    return { stored, configuration, items, changes, withheld: warnings };
  };
  const isMeant = async () => options.isMeant?.(await store.latestVersion()) ?? true;
  const { stored, configuration, items, changes, withheld } = await compare();
  const lists = storedSettings(stored);
  const warnings = [
    ...imported.warnings,
    ...warningsOfMissingLists(files, { place: listFolder, stored: lists }),
    ...warningsOfEmptiedLists(files, { given: imported.settings, stored: lists }),
    ...warningsOfAddedSources(items, stored),
    ...warningsOfRemovals(changes),
    ...withheld,
  ];
  // The stored lists count, too: a new one may fit alone, and not with them.
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
    unusable: imported.unusable.map((section) => {
      const { title, line } = section;
      return { title, line, kept: storedSourcesOf(section, stored) };
    }),
    problems: listProblems(imported.unusable.flatMap((section) => section.problems)),
    unchanged: items.length - added - changed,
    warnings,
  };
  if (!(await isMeant())) return { type: "stale" };
  if (options.dryRun || changes.length === 0) return outcome;

  const importedAt = options.now().toISOString();
  const version = await nextVersion(store, { importedAt, added, changed, removed }, options.isMeant);
  if (version === undefined) return { type: "stale" };
  for (let round = 1, left = changes; round <= maxRounds; round += 1, left = (await compare()).changes) {
    const apply = (change: ConfigurationChange) => store.apply(change, version);
    if (await applyInSteps(left, { apply, hold })) return { ...outcome, version };
  }
  const retryAt = new Date(options.now().getTime() + retryAfterMs);
  throw new ThrottledError("others keep changing the configuration: import once more", retryAt);
}

/**
 * Applies changes in an order that keeps the stored configuration usable: groups and settings before the sources that need
 * them, removals last. `false` when an item was written meanwhile, or another import has taken the lease: the remaining
 * steps are not done then.
 */
export async function applyInSteps(
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

/** Takes the next version; undefined when the latest one is not meant. */
export async function nextVersion(
  store: ConfigurationStore,
  counts: Omit<ConfigurationVersion, "version">,
  isMeant: ImportOptions["isMeant"],
): Promise<number | undefined> {
  for (;;) {
    const latest = await store.latestVersion();
    if (isMeant?.(latest) === false) return undefined;
    const version = latest + 1;
    if (await store.claimVersion({ version, ...counts })) return version;
  }
}

/** Operators have added a source with the id of a section: it stays as it is. */
function warningsOfAddedSources(wanted: ConfigurationItem[], stored: ConfigurationItem[]): string[] {
  const added = new Set(stored.filter(({ addedBy }) => addedBy === "api").map(({ id }) => id));
  return wanted
    .filter(({ kind, id }) => kind === "source" && added.has(id))
    .map(({ id }) => `source ${id} was added by the API and stays as it is: its section is ignored`);
}

function storedSettings(stored: ConfigurationItem[]): ConfigurationItem["value"] {
  return stored.find(({ kind }) => kind === "settings")?.value ?? {};
}

function storedLists(files: ListFiles, stored: ConfigurationItem[]): object {
  const value = storedSettings(stored);
  const names = Object.keys(listFileNames) as (keyof ListFiles)[];
  const kept = names.filter((name) => files[name] === undefined && value[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, value[name]]));
}
