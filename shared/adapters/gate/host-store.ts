import type { GatePorts } from "../../web/gate/gate-ports.ts";
import { type HostPause, type HostState, newHost } from "../../web/gate/host-state.ts";
import { getAll, putIf, ttlAfter } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

/** The state of a host is deleted this long after its last request. */
const keptDays = 90;

export function hostStore(): GatePorts["hosts"] {
  const TableName = variable("hostsTable");
  return {
    async load(hostKey) {
      return (await readHost(TableName, hostKey)) ?? newHost(hostKey);
    },
    async save({ pause: _operators, ...state }) {
      const expiresAt = ttlAfter(new Date().toISOString(), keptDays);
      return putIf({
        TableName,
        Item: { ...state, version: state.version + 1, expiresAt, ...placeInIndex(state) },
        ConditionExpression: "attribute_not_exists(hostKey) OR version = :version",
        ExpressionAttributeValues: { ":version": state.version },
      });
    },
  };
}

/** While a host is unavailable, an index lists it, by the end of that. */
function placeInIndex({ unavailable = {} }: HostState): object {
  const ends = Object.values(unavailable).map(({ untilMs }) => untilMs);
  return ends.length === 0 ? {} : { listedAs: "unavailable", unavailableUntilMs: Math.max(...ends) };
}

/** The key of the item with the pause of a host. */
export function pauseKeyOf(hostKey: string): string {
  return `${pausePrefix}${hostKey}`;
}

/** The host whose pause has this key. */
export function hostKeyOfPause(key: string): string {
  return key.slice(pausePrefix.length);
}

const pausePrefix = "pause#";

type StoredHost = HostState & { listedAs?: string; unavailableUntilMs?: number };
type StoredPause = { hostKey: string; pause: HostPause };

/** The state of a host, with its pause; undefined when it has none. */
export async function readHost(TableName: string, hostKey: string): Promise<HostState | undefined> {
  const pauseKey = pauseKeyOf(hostKey);
  const items = await getAll<StoredHost | StoredPause>(TableName, {
    Keys: [{ hostKey }, { hostKey: pauseKey }],
    ConsistentRead: true,
  });
  const stored = items.find((item) => item.hostKey === hostKey) as StoredHost | undefined;
  const paused = items.find((item) => item.hostKey === pauseKey) as StoredPause | undefined;
  if (stored === undefined && paused === undefined) return undefined;
  const { listedAs: _index, unavailableUntilMs: _end, ...state }: StoredHost = stored ?? newHost(hostKey);
  // A property that an older item lacks is as in a new host.
  return { ...newHost(hostKey), ...state, ...(paused && { pause: paused.pause }) };
}
