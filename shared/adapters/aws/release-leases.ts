import { DeleteCommand, PutCommand, paginateScan } from "@aws-sdk/lib-dynamodb";
import type { HostState } from "../../web/gate/host-state.ts";
import { releaseImportLease } from "./config/configuration-store.ts";
import { dynamodb, queryAll } from "./dynamodb.ts";
import { variable } from "./environment.ts";
import { sentMails } from "./sent-mails.ts";

/** What a host is left alone for when nobody knows when the last request to it ended. */
const pauseMs = 1000;

/**
 * Ends the leases that a killed process has left. On AWS they run out; here the process that starts knows that nobody
 * else is at work.
 */
export async function releaseLeases(): Promise<void> {
  await releaseImportLease();
  await releaseUploadLeases();
  await releaseHostLeases();
  await releaseMailLeases();
}

async function releaseUploadLeases(): Promise<void> {
  const TableName = variable("deliveriesTable");
  const leases = await queryAll<{ sortKey: string }>({
    TableName,
    KeyConditionExpression: "kind = :lease",
    ExpressionAttributeValues: { ":lease": "lease" },
  });
  for (const { sortKey } of leases) {
    await dynamodb.send(new DeleteCommand({ TableName, Key: { kind: "lease", sortKey } }));
  }
}

async function releaseHostLeases(): Promise<void> {
  const TableName = variable("hostsTable");
  // Places of the translation server have no lease.
  const hosts = await scanAll<HostState>(TableName);
  for (const { lease, ...host } of hosts) {
    if (lease === undefined) continue;
    const readyAtMs = Math.max(host.readyAtMs, Date.now() + pauseMs);
    await dynamodb.send(
      new PutCommand({ TableName, Item: { ...host, readyAtMs, version: host.version + 1 } }),
    );
  }
}

async function releaseMailLeases(): Promise<void> {
  const sent = sentMails();
  const mails = await scanAll<{ mailId: string; claimedUntilMs?: number }>(variable("sentMailsTable"));
  for (const { mailId, claimedUntilMs } of mails) {
    if (claimedUntilMs !== undefined) await sent.release(mailId, claimedUntilMs);
  }
}

/** Whole items of a table, as its store writes them. */
async function scanAll<Item>(TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, { TableName })) {
    items.push(...(Items as Item[]));
  }
  return items;
}
