import type { ConfigurationKind } from "../configuration.ts";
import type { ImportOutcome } from "./import-configuration.ts";
import type { IniProblem } from "./ini.ts";

/** What is told of an import. */
export interface ImportSummary {
  type: CompletedImport["type"];
  /** Absent when nothing was written. */
  version?: number;
  sources?: number;
  groups?: number;
  changes?: {
    type: "added" | "changed" | "removed";
    kind: ConfigurationKind;
    id: string;
    title?: string;
    /** Of a changed item: what differs. */
    fields?: string[];
  }[];
  unchanged?: number;
  warnings: string[];
  /** Why nothing of the file was used. */
  problems?: IniProblem[];
}

/** Why an import has to wait, and how long at most. */
export function describeImportInProgress({
  by,
  since,
  untilMs,
}: Extract<ImportOutcome, { type: "in-progress" }>): string {
  const until = new Date(untilMs).toISOString();
  return `another import is under way: ${by}, since ${since}; import once more when it has ended, or after ${until}`;
}

/** Of an import that another one has kept out, there is nothing to sum up. */
export type CompletedImport = Exclude<ImportOutcome, { type: "in-progress" }>;

export function summarizeImport(outcome: CompletedImport): ImportSummary {
  if (outcome.type === "refused") return outcome;
  const { type, version, configuration, changes, unchanged, warnings } = outcome;
  return {
    type,
    ...(version !== undefined && { version }),
    sources: configuration.sources.length,
    groups: configuration.groups.length,
    changes: changes.map((change) => {
      const { kind, id, value } = change.item;
      return {
        type: change.type,
        kind,
        id,
        ...(typeof value.title === "string" && { title: value.title }),
        ...(change.type === "changed" && { fields: change.fields }),
      };
    }),
    unchanged,
    warnings,
  };
}
