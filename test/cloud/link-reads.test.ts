import { beforeAll, describe, expect, it } from "vitest";
import { judgeCheck } from "../../shared/links/judge/judge-check.ts";
import { readCollection } from "../../shared/links/status/collection.ts";
import { sweepCollections } from "../../shared/links/sweep/sweep-collections.ts";
import type { NewRequest } from "../../shared/web/request/request.ts";
import { LinkWorld, type Reply, start } from "../shared/links/link-world.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

const collections = 20;
const readCommands = new Set(["GetItemCommand", "QueryCommand", "BatchGetItemCommand", "ScanCommand"]);

let world: LinkWorld;
let ports: LinkWorld["ports"];
/** The requests to DynamoDB. */
const reads: string[] = [];

beforeAll(async () => {
  await testCloud(stateFolder(), { polling: false });
  const { dynamodb } = await import("../../shared/adapters/aws/dynamodb.ts");
  const { recordStore } = await import("../../shared/adapters/records/record-store.ts");
  const { collectionStore } = await import("../../shared/links/stores/collection-store.ts");
  const { linkHistory } = await import("../../shared/links/stores/link-history.ts");
  const { linkRecords } = await import("../../shared/links/stores/link-records.ts");
  const { linkStatistics } = await import("../../shared/links/stores/link-statistics.ts");
  const { sweepStore } = await import("../../shared/links/stores/sweep-store.ts");
  dynamodb.middlewareStack.add(
    (next, { commandName = "" }) =>
      (args) => {
        if (readCommands.has(commandName)) reads.push(commandName);
        return next(args);
      },
    { step: "initialize" },
  );
  world = new LinkWorld();
  ports = {
    ...world.ports,
    collections: collectionStore(),
    records: linkRecords(),
    sweeps: sweepStore(),
    history: linkHistory(),
    statistics: linkStatistics(),
  };
  for (let number = 1; number <= collections; number += 1) {
    const { hold: _hold, ...wanted } = readCollection({ collectionId: `c-${number}`, title: "C" });
    await ports.collections.save(wanted);
    for (let record = 1; record <= 10; record += 1) {
      const recordId = `c-${number}-${record}`;
      await recordStore().save({
        recordId,
        sourceId: `c-${number}`,
        groupId: "G",
        collectionId: `c-${number}`,
        runId: "r",
        deliveryMode: "LIVE",
        title: recordId,
        landingUrl: `https://c-${number}.example/${record}`,
        syndicatedAt: new Date(Date.UTC(2026, 0, record)).toISOString(),
        hash: recordId,
        recordKey: recordId,
        state: "harvested",
        updatedAt: start.toISOString(),
      });
    }
  }
});

/** Sweeps all collections and judges every answer; gives the reads of DynamoDB per collection. */
async function readsOf(reply: Reply): Promise<number> {
  reads.length = 0;
  world.reply = () => reply;
  const requests: NewRequest[] = [];
  const send = async (more: NewRequest[]) => void requests.push(...more);
  const summary = await sweepCollections(world.now, { ...ports, requests: { send } });
  expect(summary).toMatchObject({ swept: collections, requests: 4 * collections });
  for (const request of requests) await judgeCheck(world.responseTo(request), ports);
  return reads.length / collections;
}

describe("what a sweep reads of DynamoDB for each collection, its judgement included", () => {
  it.each<[title: string, Reply]>([
    ["healthy", 200],
    ["not answering", "no answer"],
    ["dead: suppressed, told and scheduled again", 404],
    ["back again", 200],
  ])("%s → at most 8", async (_title, reply) => {
    world.nowMs += 60_000;
    expect(await readsOf(reply)).toBeLessThanOrEqual(8);
    expect(reads).not.toContain("ScanCommand");
    expect(reads.length).toBeGreaterThanOrEqual(4 * collections);
  });
});
