import { DeleteCommand, PutCommand, paginateScan } from "@aws-sdk/lib-dynamodb";
import type { Lease } from "../../core/lease.ts";
import { type HostState, withoutKilledLease } from "../../web/gate/host-state.ts";
import { dynamodb } from "./dynamodb.ts";
import { variable } from "./environment.ts";

/**
 * Ends the leases that a killed process has left. On AWS, these leases expire. On a single machine, the starting
 * process knows that no other process is running.
 */
export async function releaseLeases(): Promise<void> {
  const TableName = variable("leasesTable");
  for (const { key } of await scanAll<Lease>(TableName)) {
    await dynamodb.send(new DeleteCommand({ TableName, Key: { key } }));
  }
  await releaseHostLeases();
}

async function releaseHostLeases(): Promise<void> {
  const TableName = variable("hostsTable");
  for (const host of await scanAll<HostState>(TableName)) {
    const free = withoutKilledLease(host, Date.now());
    if (free === host) continue;
    await dynamodb.send(new PutCommand({ TableName, Item: { ...free, version: host.version + 1 } }));
  }
}

/** Returns all items of a table, as its store writes them. */
async function scanAll<Item>(TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
    items.push(...(Items as Item[]));
  }
  return items;
}
