import type { HostState } from "./host-state.ts";
import type { HostStatistics } from "./host-statistics.ts";

/** Reads the state and the statistics of hosts, by their keys. */
export interface HostReader {
  /** Undefined for a host without requests for months. */
  state(hostKey: string): Promise<HostState | undefined>;
  /** In the order of the days, without days that had no requests. */
  statistics(hostKey: string, days: string[]): Promise<{ day: string; numbers: HostStatistics }[]>;
}
