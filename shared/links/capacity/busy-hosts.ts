/** A host whose checks need more time than there is between two sweeps, so that its collections take turns. */
export interface BusyHost {
  hostKey: string;
  /** The number of collections with sampled links on the host, and of these links. */
  collections: number;
  links: number;
  /** The time that one check of each of these links takes. */
  neededMs: number;
}

/** The busy hosts as of the last sweep. */
export interface BusyHosts {
  /** The time of the sweep. ISO 8601 in UTC. */
  at: string;
  /** The time between two sweeps. */
  intervalMs: number;
  /** The most overbooked first; at most `maxBusyHosts`. */
  hosts: BusyHost[];
}

/** The number of hosts that are kept; each takes about 100 bytes. */
export const maxBusyHosts = 500;

/** A busy host for people: the hours have one decimal. */
export interface OverbookedHost extends Omit<BusyHost, "neededMs"> {
  neededHours: number;
  /** The time between two sweeps. */
  everyHours: number;
}

/** Returns the busy hosts as of the last sweep, the most overbooked first. */
export async function overbookedHosts(store: Pick<BusyHostStore, "latest">): Promise<OverbookedHost[]> {
  const { hosts, intervalMs } = (await store.latest()) ?? { hosts: [], intervalMs: 0 };
  return hosts.map(({ neededMs, ...host }) => ({
    ...host,
    neededHours: Math.round(neededMs / 360_000) / 10,
    everyHours: intervalMs / 3_600_000,
  }));
}

export interface BusyHostStore {
  /** Replaces the busy hosts. An earlier sweep changes nothing. */
  save(busy: BusyHosts): Promise<void>;
  /** Returns undefined before the first sweep, and when sweeps have stopped for a day. */
  latest(): Promise<BusyHosts | undefined>;
}
