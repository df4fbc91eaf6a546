import { hostsByAvailabilityIndex } from "../../names.ts";
import type { HostPause, HostPauses } from "../../web/gate/host-state.ts";
import { deleteItem, getAll, putItem, queryFirst } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";
import { hostKeyOfPause, pauseKeyOf } from "./host-store.ts";

/**
 * Beside the states of hosts, in items of their own: what the gate writes leaves them unchanged. The index of hosts
 * that are not requested lists them as `paused`, by the time of the pause.
 */
export function hostPauses(): HostPauses {
  const TableName = variable("hostsTable");
  return {
    async set(hostKey, pause) {
      const listed = { listedAs: "paused", unavailableUntilMs: Date.parse(pause.since) };
      const Item = { hostKey: pauseKeyOf(hostKey), pause, ...listed };
      await putItem({ TableName, Item });
    },
    async clear(hostKey) {
      await deleteItem({ TableName, Key: { hostKey: pauseKeyOf(hostKey) } });
    },
    async list(limit) {
      const query = {
        TableName,
        IndexName: hostsByAvailabilityIndex,
        ScanIndexForward: false,
        KeyConditionExpression: "listedAs = :paused",
        ExpressionAttributeValues: { ":paused": "paused" },
      };
      const keys = await queryFirst<{ hostKey: string }>(query, limit);
      if (keys.length === 0) return [];
      const Keys = keys.map(({ hostKey }) => ({ hostKey }));
      const items = await getAll<{ hostKey: string; pause: HostPause }>(TableName, { Keys });
      return items
        .map(({ hostKey, pause }) => ({ hostKey: hostKeyOfPause(hostKey), ...pause }))
        .sort((a, b) => (a.since > b.since ? -1 : 1));
    },
  };
}
