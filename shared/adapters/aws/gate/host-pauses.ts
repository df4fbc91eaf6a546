import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { HostPauses } from "../../../web/gate/host-state.ts";
import { dynamodb } from "../dynamodb.ts";
import { variable } from "../environment.ts";
import { pauseKeyOf } from "./host-store.ts";

/** Beside the states of hosts, in items of their own: what the gate writes leaves them as they are. */
export function hostPauses(): HostPauses {
  const TableName = variable("hostsTable");
  return {
    async set(hostKey, pause) {
      await dynamodb.send(new PutCommand({ TableName, Item: { hostKey: pauseKeyOf(hostKey), pause } }));
    },
    async clear(hostKey) {
      await dynamodb.send(new DeleteCommand({ TableName, Key: { hostKey: pauseKeyOf(hostKey) } }));
    },
  };
}
