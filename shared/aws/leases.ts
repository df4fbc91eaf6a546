import { PutCommand, paginateScan } from "@aws-sdk/lib-dynamodb";
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
  const hosts: HostState[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
    hosts.push(...(Items as HostState[]));
  }
  for (const { lease, ...host } of hosts) {
    if (lease === undefined) continue;
    const readyAtMs = Math.max(host.readyAtMs, Date.now() + pauseMs);
    await dynamodb.send(
      new PutCommand({ TableName, Item: { ...host, readyAtMs, version: host.version + 1 } }),
    );
  }
}
