import { hostKeyOf } from "../../web/address/host-key.ts";
import { isOff } from "./reading.ts";
import type { Source, StoredSource } from "./source.ts";
import type { RecentRun } from "./source-status.ts";

/**
 * The state of a source, for people:
 * - `active`: harvested without problems
 * - `overdue`: not delivered for longer than its window
 * - `unavailable`: its host currently gets no requests
 * - `failed`: the last run could not read it, or it is not valid
 * - `paused`: an operator has paused it
 * - `off`: imported with the mode `NONE`
 */
export const sourceStates = ["active", "overdue", "unavailable", "failed", "paused", "off"] as const;
export type SourceState = (typeof sourceStates)[number];

/** The current problems of all sources. */
export interface SourceTroubles {
  /** The ids of overdue sources. */
  overdue: ReadonlySet<string>;
  /** The host keys of unavailable hosts. */
  unavailableHosts: ReadonlySet<string>;
}

/** Returns the state of a source. If several states apply, returns the most urgent one. */
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
