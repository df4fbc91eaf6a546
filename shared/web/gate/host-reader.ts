import type { HostState } from "./host-state.ts";
import type { HostStatistics } from "./host-statistics.ts";

/** Reads the state and the statistics of hosts by host key. */
export interface HostReader {
  /** Returns undefined for a host that has had no requests for months. */
  state(hostKey: string): Promise<HostState | undefined>;
  /** Returns statistics in the order of the days. Days without requests are omitted. */
  statistics(hostKey: string, days: string[]): Promise<{ day: string; numbers: HostStatistics }[]>;
}
