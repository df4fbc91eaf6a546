import type { GatePorts } from "../../web/gate/gate-ports.ts";
import { type HostPause, type HostState, newHost } from "../../web/gate/host-state.ts";
import { ttlAfter } from "../aws/dynamodb.ts";
import { expression } from "../aws/expression.ts";
import { table } from "../aws/table.ts";

/** The number of days after its last request for which the state of a host is kept. */
const keptDays = 90;

type StoredHost = HostState & { pause?: never };
type StoredPause = { hostKey: string; pause: HostPause };

function openHosts() {
  return table<StoredHost | StoredPause>({
    variable: "hostsTable",
    key: (hostKey) => ({ hostKey }),
    hidden: ["listedAs", "unavailableUntilMs", "expiresAt"],
  });
}

export function hostStore(): GatePorts["hosts"] {
  const hosts = openHosts();
  const read = hostStates();
  return {
    load: async (hostKey) => (await read(hostKey)) ?? newHost(hostKey),
    async save({ pause: _operators, ...state }) {
      const expiresAt = ttlAfter(new Date().toISOString(), keptDays);
      return hosts.putIf(
        state.hostKey,
        { ...state, version: state.version + 1, expiresAt, ...placeInIndex(state) },
        expression`attribute_not_exists(hostKey) OR version = ${state.version}`,
      );
    },
  };
}

/** Returns the host's place in the index, which lists unavailable hosts by the end of their unavailability. */
function placeInIndex({ unavailable = {} }: HostState): object {
  const ends = Object.values(unavailable).map(({ untilMs }) => untilMs);
  return ends.length === 0 ? {} : { listedAs: "unavailable", unavailableUntilMs: Math.max(...ends) };
}

/** Returns the key of the item with the pause of a host. */
export function pauseKeyOf(hostKey: string): string {
  return `${pausePrefix}${hostKey}`;
}

/** Returns the host whose pause has this key. */
export function hostKeyOfPause(key: string): string {
  return key.slice(pausePrefix.length);
}

const pausePrefix = "pause#";

/**
 * Returns the function that reads the state of a host, with its pause.
 * @returns undefined when the host has no state
 */
export function hostStates(): (hostKey: string) => Promise<HostState | undefined> {
  const hosts = openHosts();
  return async (hostKey) => {
    const items = await hosts.getMany([hostKey, pauseKeyOf(hostKey)]);
    const state = items.find((item) => item.hostKey === hostKey) as StoredHost | undefined;
    const paused = items.find((item) => item.hostKey !== hostKey);
    if (items.length === 0) return undefined;
    // A property that an older item lacks gets the value of a new host.
    return { ...newHost(hostKey), ...state, ...(paused && { pause: paused.pause }) };
  };
}
