import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startDynamodb, type Tables } from "../../../../local/cloud/dynamodb/dynamodb.ts";
import { SqliteStore } from "../../../../local/cloud/dynamodb/sqlite-store.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { compareWithModel } from "./store-model.ts";

describe("the store under the tables", () => {
  it.each([1, 2, 3])(
    "random writes, reads and ranges, reopened now and then (seed %d) → as a map",
    async (seed) => {
      await compareWithModel(temporaryFolder(), { operations: 1500, seed });
    },
  );

  it("killed while it overwrites → each write that was answered is there, and none is older than that", async () => {
    const folder = temporaryFolder();
    let answered = -1;
    for (let kill = 0; kill < 5; kill += 1) {
      const writer = fork(join(import.meta.dirname, "fixtures/overwrite-keys.ts"), [
        folder,
        String(answered + 1),
      ]);
      const enough = answered + 200;
      await new Promise<void>((resolve) => {
        writer.on("message", (number: number) => {
          answered = number;
          if (number >= enough) resolve();
        });
      });
      writer.kill("SIGKILL");
      await once(writer, "exit");
      const store = new SqliteStore(folder);
      const stored = (await Promise.all(
        Array.from({ length: 10 }, (_, key) => store.get(`key${key}`)),
      )) as number[];
      await store.close();
      // The last write may have been done without an answer.
      expect(Math.max(...stored) - answered).toBeGreaterThanOrEqual(0);
      answered = Math.max(...stored);
      expect(stored.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, n) => answered - 9 + n),
      );
    }
  });

  it("an item overwritten 5,000 times → the folder stays small", async () => {
    const folder = temporaryFolder();
    const store = new SqliteStore(folder);
    for (let count = 0; count < 5000; count += 1) await store.put("one", { count, text: "x".repeat(4000) });
    await store.close();
    const bytes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });

  it("a batch that cannot be written whole → nothing of it", async () => {
    const store = new SqliteStore(temporaryFolder());
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const batch = store.batch([
      { type: "put", key: "a", value: 1 },
      { type: "put", key: "b", value: circle },
    ]);
    await expect(batch).rejects.toThrow("circular");
    expect(await store.get("a")).toBeUndefined();
    await store.close();
  });
});

describe("tables on the store", () => {
  it("a set that 16 writers add to, with queries left before their end → has every id, also when reopened", async () => {
    const folder = temporaryFolder();
    let tables = await startDynamodb(folder);
    await createTable(tables);
    const ids = Array.from({ length: 800 }, (_, n) => `id-${n}`);
    const rest = [...ids];
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
          await addToSet(tables, id);
          await call(tables, "Query", {
            TableName: "tallies",
            Limit: 1,
            KeyConditionExpression: "runId = :run",
            ExpressionAttributeValues: { ":run": { S: "run" } },
          });
        }
      }),
    );
    expect(await closedIds(tables)).toEqual(ids.toSorted());
    await tables.stop();
    tables = await startDynamodb(folder);
    expect(await closedIds(tables)).toEqual(ids.toSorted());
    await tables.stop();
  });
});

async function createTable(tables: Tables): Promise<void> {
  await call(tables, "CreateTable", {
    TableName: "tallies",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "runId", AttributeType: "S" },
      { AttributeName: "item", AttributeType: "S" },
    ],
    KeySchema: [
      { AttributeName: "runId", KeyType: "HASH" },
      { AttributeName: "item", KeyType: "RANGE" },
    ],
  });
  const status = async () =>
    (await call(tables, "DescribeTable", { TableName: "tallies" })).Table.TableStatus;
  await expect.poll(status).toBe("ACTIVE");
}

function addToSet(tables: Tables, id: string): Promise<unknown> {
  return call(tables, "UpdateItem", {
    TableName: "tallies",
    Key: { runId: { S: "run" }, item: { S: `tally-${id.length}` } },
    UpdateExpression: "ADD closed :id",
    ExpressionAttributeValues: { ":id": { SS: [id] } },
  });
}

async function closedIds(tables: Tables): Promise<string[]> {
  const { Items } = await call(tables, "Scan", { TableName: "tallies" });
  return Items.flatMap((item: { closed: { SS: string[] } }) => item.closed.SS).sort();
}

async function call(tables: Tables, operation: string, input: object) {
  const answer = await tables.service({
    method: "POST",
    path: "/",
    query: new URLSearchParams(),
    headers: {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "content-type": "application/x-amz-json-1.0",
    },
    body: Buffer.from(JSON.stringify(input)),
  });
  const body = JSON.parse(Buffer.from(answer.body).toString());
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return body;
}
