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
  isActive: boolean;
  createdAt: Date;
  /** Counts the activations. Messages about an index of another generation are outdated. */
  generation: number;
  /** Absent while the definition is not active, unless it was deactivated because its index expired. */
  index?: IndexStatus;
  /** Why it is in its state, for operators. */
  comment?: string;
}

/**
 * Whether jobs may be made of a definition: it is active, has not run, and what it deduplicates against is ready.
 * @param hasJobs whether jobs of it exist already
 */
export function mayStart({ isActive, type, index }: HarvestDefinition, hasJobs: boolean): boolean {
  if (!isActive || hasJobs) return false;
  return type === "selective" || index?.state === "ready" || index?.state === "ready-partial";
}
