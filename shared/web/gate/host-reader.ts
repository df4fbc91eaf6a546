import type { HostState } from "./host-state.ts";
import type { HostStatistics } from "./host-statistics.ts";

/** What the gate knows of hosts, and what it did with them. Hosts are named by their keys. */
export interface HostReader {
  /** Undefined for a host that was not asked for months. */
  state(hostKey: string): Promise<HostState | undefined>;
  /** In the order of the days; those on which it was not asked are left out. */
  statistics(hostKey: string, days: string[]): Promise<{ day: string; numbers: HostStatistics }[]>;
}
