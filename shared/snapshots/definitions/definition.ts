import type { IndexStatus } from "./index-status.ts";

/** Bounds of a harvest; it ends when the first one is reached. */
export interface HarvestLimits {
  maxObjects: number;
  maxBytes: number;
  /** Links from a seed: 0 fetches the seeds and what they are made of. */
  maxDepth: number;
  maxMinutes: number;
}

/** A harvest of web sites, as an operator defines it. */
export interface HarvestDefinition {
  id: string;
  title: string;
  /** `snapshot`: all seeds once, against a deduplication index. `selective`: some sites, and no index. */
  type: "snapshot" | "selective";
  seeds: readonly string[];
  limits: HarvestLimits;
  /** The id of the snapshot that this one continues. */
  previous?: string;
  /** Whether content that an earlier harvest has stored is referred to instead of stored again. */
  deduplicate: boolean;
  /** Whether that also holds for texts. */
  deduplicateText: boolean;
  /** The share of the earlier jobs that the index must hold. */
  minimumShare: number;
  isActive: boolean;
  createdAt: Date;
  /** Counts the activations. Messages about an index of another generation are outdated. */
  generation: number;
  /** Absent while the definition is not active, unless it was deactivated because its index expired. */
  index?: IndexStatus;
  /** The jobs that were made of it. */
  jobIds: readonly number[];
  /** Why it is in its state, for operators. */
  comment?: string;
  /** What has happened to it, the newest last. */
  history: readonly DefinitionEvent[];
}

export interface DefinitionEvent {
  at: Date;
  what: string;
}

const keptEvents = 100;

/** The definition with another entry in its history. */
export function withEvent(definition: HarvestDefinition, at: Date, what: string): HarvestDefinition {
  return { ...definition, history: [...definition.history, { at, what }].slice(-keptEvents) };
}

/** Whether jobs may be made of a definition: it is active, has not run, and what it deduplicates against is ready. */
export function mayStart({ isActive, type, index, jobIds }: HarvestDefinition): boolean {
  if (!isActive || jobIds.length > 0) return false;
  return type === "selective" || index?.state === "ready" || index?.state === "ready-partial";
}
