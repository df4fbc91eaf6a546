import { PlatformError, ThrottledError } from "../../../core/errors.ts";
import { inBatches } from "../../../core/in-batches.ts";
import { inParallel } from "../../../core/in-parallel.ts";
import { type LeaseStore, withLease } from "../../../core/lease.ts";
import { type Configuration, type ConfigurationItem, configurationItems } from "../configuration.ts";
import { type ListFiles, listFileNames } from "../list-files.ts";
import { type ConfigurationChange, diffConfiguration } from "./configuration-changes.ts";
import type { ConfigurationStore, ConfigurationVersion } from "./configuration-store.ts";
import { importIni, listProblems, type ParsedConfiguration } from "./import-ini.ts";
import type { IniProblem } from "./ini.ts";
import { type ListFolder, warningsOfEmptiedLists, warningsOfMissingLists } from "./list-warnings.ts";
import { removalProblems, warningsOfRemovals, withholdRemovals } from "./removals.ts";
import { sizeProblem } from "./stored-size.ts";
import { storedSourcesOf } from "./unusable-section.ts";

export interface ImportPorts extends ApplyPorts<ConfigurationStore> {
  leases: LeaseStore;
}

export interface ConfigurationInput {
  ini: string;
  files: ListFiles;
  /** The folder in which the files were searched; absent when the files were given one by one. */
  listFolder?: ListFolder;
}

export type ImportOutcome =
  | { type: "refused"; problems: IniProblem[]; warnings: string[] }
  | {
      type: "imported";
      configuration: Configuration;
      changes: ConfigurationChange[];
      /** The sections of journals that are left out. */
      unusable: LeftOutSection[];
      /** The reasons why they are left out. */
      problems: IniProblem[];
      /** The number of unchanged items. */
      unchanged: number;
      /** Absent when nothing changed, or when nothing was to be written. */
      version?: number;
      warnings: string[];
      /** Set for a job: the number of changed items, and the items that could not be written. */
      total?: number;
      failed?: FailedChange[];
    }
  /**
   * Nothing was written, because there are more than `maxChanges` changes. `latest` is the version on which the changes
   * are based; 0 means that there is none.
   */
  | { type: "large"; changes: number; latest: number }
  /** Nothing was written, because another import has been made since the version that the caller has seen. */
  | { type: "stale" }
  /** Another import is in progress. */
  | { type: "in-progress"; by: string; since: string; untilMs: number };

export interface LeftOutSection {
  /** Empty when the header of the section cannot be read. */
  title: string;
  /** The line of the section's header. */
  line: number;
  /** The ids of the unchanged stored sources to which the section belongs; empty for a new journal. */
  kept: string[];
}

/** A change that was not applied. */
export interface FailedChange extends Pick<ConfigurationItem, "kind" | "id"> {
  reason: string;
}

/** An import that may take several tries. */
interface ImportTries {
  importId: string;
  /** Whether this is the last try. Items that cannot be written are then skipped and listed. */
  isLastTry: boolean;
  /** Returns the version that an earlier try has claimed. */
  claimed(): Promise<ConfigurationVersion | undefined>;
  /** Called before each step. An error that it throws ends the try. */
  onProgress(done: { total: number; applied: number; version: number }): Promise<void>;
}

interface ImportOptions {
  /** Whether any problem refuses the file, even one because of which only an entry or a journal would be left out. */
  isStrict: boolean;
  /** Whether the changes are only reported, and nothing is written. */
  dryRun: boolean;
  /** Whether many removals are permitted, and removals of groups with a receiver. */
  allowRemovals: boolean;
  /**
   * Decides whether the latest version is the one on which the import is based. If not, the import is refused. 0 means
   * that there is no version.
   */
  isMeant?: ((latestVersion: number) => boolean) | undefined;
  /** The maximum number of changes. If absent, there is no limit. */
  maxChanges?: number;
  /** Set for an import with several tries. If absent, there is a single try, which an error ends. */
  job?: ImportTries;
  /** Ends the import before its next step. The next import of the same file makes the remaining changes. */
  signal?: AbortSignal;
  /** A description of the importer, for other imports that are refused meanwhile. */
  by: string;
  now: () => Date;
}

/**
 * Only one import may run at a time. Two concurrent imports would result in a configuration that neither of their files
 * describes.
 */
export const importLeaseKey = "import";

/**
 * The duration of the lease, and thus the time for which an interrupted import blocks the next one. The writes between
 * two extensions of the lease take only seconds.
 */
export const importLeaseMs = 120_000;

const maxParallelWrites = 16;

/** The number of changes after which an import extends its lease and reports its progress. */
const changesPerStep = 500;

/** The maximum number of sources that may fail. If more fail, the cause is not in the sources themselves. */
const maxFailures = 100;

/** The number of times that an import compares again because the configuration has been changed meanwhile. */
const maxRounds = 5;
const retryAfterMs = 10_000;

/**
 * Changes the stored configuration, item by item, so that it matches the file. Unchanged items are not written. If a
 * journal's section has a problem, its stored version is kept. The import then removes nothing unless removals are
 * permitted, because a damaged file may also be missing other sections. A list that is not given keeps its stored
 * value. If an operator writes an item meanwhile, the item is compared again, so that the operator's settings are kept.
 * After a crash, the next import of the same file makes the remaining changes, as a separate version. Until then, every
 * source has its group, and nothing is lost.
 * @throws ThrottledError when concurrent requests keep changing the same items; the reason of the signal
 */
export async function importConfiguration(
  input: ConfigurationInput,
  ports: ImportPorts,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const imported = importIni(input.ini, input.files, { isStrict: options.isStrict });
  if (imported.type === "refused") return imported;
  if (options.dryRun) return applyImport(imported, input, { ports, options, hold: async () => true });

  const { by, now } = options;
  const note = { by, since: now().toISOString() };
  const work = await withLease(
    { key: importLeaseKey, forMs: importLeaseMs, note },
    { leases: ports.leases, clock: { now } },
    (extend) => applyImport(imported, input, { ports, options, hold: extend }),
  );
  if (work.type === "done") return work.result;
  const { untilMs, note: other = {} } = work.lease;
  return { type: "in-progress", by: other.by ?? "", since: other.since ?? "", untilMs };
}

/**
 * Applies an import.
 * @param hold extends the lease; returns `false` when another import has taken it over
 */
async function applyImport(
  imported: Extract<ParsedConfiguration, { type: "imported" }>,
  { files, listFolder }: ConfigurationInput,
  { ports, options, hold }: { ports: ImportPorts; options: ImportOptions; hold: () => Promise<boolean> },
): Promise<ImportOutcome> {
  const { configuration: store } = ports;
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
  // The stored lists are included, because a new list may fit alone but not together with them.
  const problem = sizeProblem(configuration.settings);
  const problems = [
    ...(problem === undefined ? [] : [`the global section, with the stored lists, ${problem}`]),
    ...(options.allowRemovals ? [] : removalProblems(changes, stored)),
  ];
  const claimed = await options.job?.claimed();
  // A job that was interrupted resumes without this check, because its version was checked when it began.
  if (problems.length > 0 && claimed === undefined) {
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
  const latest = await store.latestVersion();
  if (claimed === undefined && options.isMeant?.(latest) === false) return { type: "stale" };
  if (options.dryRun || (changes.length === 0 && claimed === undefined)) return outcome;
  if (changes.length > (options.maxChanges ?? Number.POSITIVE_INFINITY)) {
    return { type: "large", changes: changes.length, latest };
  }
  options.signal?.throwIfAborted();

  const { job } = options;
  const importedAt = options.now().toISOString();
  const counts = { importedAt, added, changed, removed, ...(job && { importId: job.importId }) };
  const version = claimed?.version ?? (await nextVersion(store, counts, options.isMeant));
  if (version === undefined) return { type: "stale" };
  const total = claimed ? claimed.added + claimed.changed + claimed.removed : changes.length;
  let left = changes;
  for (let round = 1; round <= maxRounds; round += 1) {
    const open = left.length;
    const write = (change: ConfigurationChange) => applyChange(change, version, ports);
    const writer = job && new TolerantWriter(write);
    const apply = writer?.apply ?? write;
    const holdStep = async (done: number) => {
      options.signal?.throwIfAborted();
      await job?.onProgress({ total, applied: Math.max(0, total - open + done), version });
      return hold();
    };
    if (await applyInSteps(left, { apply, hold: holdStep })) {
      const failed = writer?.failed ?? [];
      if (failed.length > 0 && !job?.isLastTry) {
        const [first] = failed;
        throw new PlatformError(
          `${failed.length} items were not written, such as ${first?.kind} ${first?.id}: ${first?.reason}`,
        );
      }
      return { ...outcome, version, ...(job && { total, failed }) };
    }
    left = (await compare()).changes;
  }
  if (job?.isLastTry) {
    const failed = left.map(({ item: { kind, id } }) => ({
      kind,
      id,
      reason: "other requests keep changing it",
    }));
    return { ...outcome, version, total, failed };
  }
  const retryAt = new Date(options.now().getTime() + retryAfterMs);
  throw new ThrottledError("other requests keep changing the configuration: import again", retryAt);
}

/**
 * Writes changes, and continues after a source that cannot be written. In that case, no group is removed, because the
 * failed source may need it.
 */
class TolerantWriter {
  readonly failed: FailedChange[] = [];

  private readonly write: (change: ConfigurationChange) => Promise<boolean>;

  constructor(write: (change: ConfigurationChange) => Promise<boolean>) {
    this.write = write;
  }

  readonly apply = async (change: ConfigurationChange): Promise<boolean> => {
    const { kind, id } = change.item;
    if (change.type === "removed" && kind === "group" && this.failed.length > 0) {
      this.failed.push({ kind, id, reason: "a source that was not written may need it" });
      return true;
    }
    try {
      return await this.write(change);
    } catch (error) {
      if (kind !== "source" || this.failed.length >= maxFailures) throw error;
      this.failed.push({ kind, id, reason: (error as Error).message });
      return true;
    }
  };
}

interface ApplyPorts<Store = Pick<ConfigurationStore, "apply">> {
  configuration: Store;
  /** Deletes the quality figures of a removed source. */
  quality: { forget(sourceId: string): Promise<void> };
}

/**
 * Applies a change of an import. The quality figures of a removed source are deleted, so that a restored source has none.
 * @returns `false` when the item was written meanwhile
 */
export async function applyChange(
  change: ConfigurationChange,
  version: number,
  { configuration, quality }: ApplyPorts,
): Promise<boolean> {
  const { type, item } = change;
  if (type === "removed" && item.kind === "source") await quality.forget(item.id);
  return configuration.apply(change, version);
}

/**
 * Applies changes in an order that keeps the stored configuration usable: first groups and settings, then the sources
 * that need them, and removals last.
 * @returns `false` when an item was written meanwhile, or another import has taken over the lease; the remaining steps
 * are then not carried out
 */
export async function applyInSteps(
  changes: ConfigurationChange[],
  {
    apply,
    hold,
  }: {
    apply: (change: ConfigurationChange) => Promise<boolean>;
    /**
     * Called before each step with the number of changes that are done. If it returns `false`, no further step follows.
     */
    hold: (done: number) => Promise<boolean>;
  },
): Promise<boolean> {
  const isRemoval = ({ type }: ConfigurationChange) => type === "removed";
  const isSource = ({ item }: ConfigurationChange) => item.kind === "source";
  const steps = [
    changes.filter((change) => !isRemoval(change) && !isSource(change)),
    changes.filter((change) => !isRemoval(change) && isSource(change)),
    changes.filter((change) => isRemoval(change) && isSource(change)),
    changes.filter((change) => isRemoval(change) && !isSource(change)),
  ];
  let done = 0;
  for (const step of steps.flatMap((each) => inBatches(each, changesPerStep))) {
    if (!(await hold(done))) return false;
    const applied = await inParallel(step, maxParallelWrites, apply);
    if (!applied.every((isApplied) => isApplied)) return false;
    done += step.length;
  }
  return true;
}

/**
 * Claims the next version.
 * @returns undefined when the latest version is not the intended one
 */
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

/** Warns about sections whose id is that of a source that operators have added. Such a source is unchanged. */
function warningsOfAddedSources(wanted: ConfigurationItem[], stored: ConfigurationItem[]): string[] {
  const added = new Set(stored.filter(({ addedBy }) => addedBy === "api").map(({ id }) => id));
  return wanted
    .filter(({ kind, id }) => kind === "source" && added.has(id))
    .map(({ id }) => `source ${id} was added by the API and is unchanged: its section is ignored`);
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
