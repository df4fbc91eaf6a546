import type { GatePorts } from "../../../web/gate/gate-ports.ts";
import { type HostState, newHost } from "../../../web/gate/host-state.ts";
import { getItem, putIf, ttlAfter } from "../dynamodb.ts";
import { variable } from "../environment.ts";

/** Hosts that nothing has asked for so long are forgotten. */
const keptDays = 90;

export function hostStore(): GatePorts["hosts"] {
  const TableName = variable("hostsTable");
  return {
    async load(hostKey) {
      return (await readHost(TableName, hostKey)) ?? newHost(hostKey);
    },
    async save(state) {
      const expiresAt = ttlAfter(new Date().toISOString(), keptDays);
      const writeId = crypto.randomUUID();
      return putIf({
        TableName,
        Item: { ...state, version: state.version + 1, expiresAt, writeId },
        // It is what is being written already when the SDK has tried again, as the answer to its first try was lost.
        ConditionExpression: "attribute_not_exists(hostKey) OR version = :version OR writeId = :writeId",
        ExpressionAttributeValues: { ":version": state.version, ":writeId": writeId },
      });
    },
  };
}

/** The state of a host; undefined where nothing has asked it for long. */
export async function readHost(TableName: string, hostKey: string): Promise<HostState | undefined> {
  const item = await getItem<HostState>({ TableName, Key: { hostKey }, ConsistentRead: true });
  // What an older item does not say yet is as at a host never asked.
  return item && { ...newHost(hostKey), ...item };
}
