import type { ConfigurationKind } from "../configuration.ts";
import type { ConfigurationChange } from "./configuration-changes.ts";
import type { ImportOutcome, LeftOutSection } from "./import-configuration.ts";
import type { IniProblem } from "./ini.ts";

interface ChangeSummary {
  type: "added" | "changed" | "removed";
  kind: ConfigurationKind;
  id: string;
  title?: string;
  /** For a changed item, the names of the fields that differ. */
  fields?: string[];
}

/** The result of an import, as the command and the API report it. */
export interface ImportSummary {
  type: CompletedImport["type"];
  /** Absent when nothing was written. */
  version?: number;
  sources?: number;
  groups?: number;
  changes?: ChangeSummary[];
  unchanged?: number;
  warnings: string[];
  /** The sections of journals that were left out. */
  unusable?: LeftOutSection[];
  /** The reasons why the file was refused, or why sections were left out. */
  problems?: IniProblem[];
}

/**
 * Describes the import that prevents another one: the import in progress and the time when it ends at the latest, or an
 * import that has been made meanwhile.
 */
export function describeOtherImport(other: Exclude<ImportOutcome, CompletedImport>): string {
  if (other.type === "large") return `${other.changes} changes are too many for one request`;
  if (other.type === "stale") return "another import has been made meanwhile: check its changes first";
  const { by, since, untilMs } = other;
  const until = new Date(untilMs).toISOString();
  return `another import is in progress: ${by}, since ${since}; import again when it has ended, or after ${until}`;
}

type CompletedImport = Exclude<ImportOutcome, { type: "in-progress" | "stale" | "large" }>;

export function isCompleted(outcome: ImportOutcome): outcome is CompletedImport {
  return outcome.type === "imported" || outcome.type === "refused";
}

export function summarizeImport(outcome: CompletedImport): ImportSummary {
  if (outcome.type === "refused") return outcome;
  const { type, version, configuration, changes, unchanged, unusable, problems, warnings } = outcome;
  return {
    type,
    ...(version !== undefined && { version }),
    sources: configuration.sources.length,
    groups: configuration.groups.length,
    changes: changes.map(summarizeChange),
    unchanged,
    warnings,
    ...(unusable.length > 0 && { unusable, problems }),
  };
}

/** Summarises a change of the configuration, without the stored values. */
export function summarizeChange(change: ConfigurationChange): ChangeSummary {
  const { kind, id, value } = change.item;
  return {
    type: change.type,
    kind,
    id,
    ...(typeof value.title === "string" && { title: value.title }),
    ...(change.type === "changed" && { fields: change.fields }),
  };
}
