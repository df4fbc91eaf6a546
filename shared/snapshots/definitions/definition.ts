import type { IndexStatus } from "./index-status.ts";

/** Bounds of a harvest; it ends when the first one is reached. */
export interface HarvestLimits {
  maxObjects: number;
  maxBytes: number;
  /** Of one body; a longer one is stored as far as that. */
  maxObjectBytes: number;
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
  /** Absent while the definition is not active, unless it was deactivated because its index has failed or expired. */
  index?: IndexStatus;
  /** The jobs that were made of it. */
  jobIds: readonly number[];
  /** When the last of its jobs had ended. */
  endedAt?: Date;
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

/** Whether jobs of a definition may begin: it is active, and what it deduplicates against is ready. */
export function mayCapture({ isActive, type, index }: HarvestDefinition): boolean {
  if (!isActive) return false;
  return type === "selective" || index?.state === "ready" || index?.state === "ready-partial";
}

/** Whether jobs may be made of a definition: they may begin, and it has not run. */
export function mayStart(definition: HarvestDefinition): boolean {
  return mayCapture(definition) && definition.jobIds.length === 0;
}
