import { PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { HostState } from "../web/host-state.ts";
import { dynamodb } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/** What a host is left alone for when nobody knows when the last request to it ended. */
const pauseMs = 1000;

/**
 * Ends the leases that a killed process has left. On AWS they run out; here the process that starts knows that nobody
 * else is at work.
 */
export async function endLeases(): Promise<void> {
  const TableName = variable("hostsTable");
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  for (const { lease, ...host } of Items as HostState[]) {
    if (lease === undefined) continue;
    const readyAtMs = Math.max(host.readyAtMs, Date.now() + pauseMs);
    await dynamodb.send(
      new PutCommand({ TableName, Item: { ...host, readyAtMs, version: host.version + 1 } }),
    );
  }
}
