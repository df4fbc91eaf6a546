import { hostKeyOf } from "../../web/address/host-key.ts";
import { isOff } from "./reading.ts";
import type { Source, StoredSource } from "./source.ts";
import type { RecentRun } from "./source-status.ts";

/**
 * The state of a source, for people:
 * - `active`: harvested, and nothing is wrong
 * - `overdue`: it has had no delivery for longer than its window
 * - `unavailable`: its host is not requested for now
 * - `failed`: the last run could not read it, or it is not valid
 * - `paused`: left out by an operator
 * - `off`: imported with the mode `NONE`
 */
export const sourceStates = ["active", "overdue", "unavailable", "failed", "paused", "off"] as const;
export type SourceState = (typeof sourceStates)[number];

/** What is wrong now, over all sources. */
export interface SourceTroubles {
  /** Ids of sources. */
  overdue: ReadonlySet<string>;
  /** Host keys. */
  unavailableHosts: ReadonlySet<string>;
}

/** The state of a source. Of several, the one that must be looked at first. */
export function sourceStateOf(
  source: Pick<Source, "sourceId"> &
    Partial<Pick<StoredSource, "url" | "paused" | "deliveryMode" | "isAdded">> & {
      type?: Source["type"] | undefined;
    },
  { overdue, unavailableHosts }: SourceTroubles,
  { isValid, lastRun }: { isValid: boolean; lastRun: RecentRun | undefined },
): SourceState {
  const { sourceId, url, paused } = source;
  if (!isValid) return "failed";
  if (paused) return "paused";
  if (url !== undefined && unavailableHosts.has(hostKeyOf(url))) return "unavailable";
  if (overdue.has(sourceId)) return "overdue";
  if (isOff(source)) return "off";
  return lastRun?.state === "failed" ? "failed" : "active";
}
