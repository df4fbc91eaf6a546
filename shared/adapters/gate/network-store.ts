import { cacheFor } from "../../core/cache-for.ts";
import { systemClock } from "../../core/clock.ts";
import type { NetworkFlag, NetworkState } from "../../web/network/probe-network.ts";
import { getItem, putIf, updateIf } from "../aws/dynamodb.ts";
import { variable } from "../aws/environment.ts";

/** The item `network` of the table of flags. It does not exist until the network is down for the first time. */
export function networkFlag(): NetworkFlag {
  const TableName = variable("flagsTable");
  const Key = { flag: "network" };
  return {
    get: () => getItem<NetworkState>({ TableName, Key, ConsistentRead: true }),
    async change(to) {
      await putIf({
        TableName,
        Item: { ...Key, ...to },
        ConditionExpression: "attribute_not_exists(flag) OR #state <> :state",
        ExpressionAttributeNames: { "#state": "state" },
        ExpressionAttributeValues: { ":state": to.state },
      });
    },
    async markNotified(since) {
      await updateIf({
        TableName,
        Key,
        UpdateExpression: "SET isNotified = :notified",
        ConditionExpression: "since = :since",
        ExpressionAttributeValues: { ":notified": true, ":since": since },
      });
    },
  };
}

/** How long a read of the flag is cached: it changes every five minutes at most, and every message needs it. */
const cacheMs = 1000;

/** Whether our own network is known to be down. */
export function networkIsDown(): () => Promise<boolean> {
  const flag = cacheFor(cacheMs, networkFlag().get, systemClock);
  return async () => (await flag())?.state === "down";
}
