import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startDynamodb, type Tables } from "../local/cloud/dynamodb/dynamodb.ts";

/**
 * Measures the conditional updates per second of one item in the local cloud's tables, 16 in parallel, and
 * the size of the state folder relative to the items. Usage: npx node bench/tables.ts [--updates 20000]
 */
const { values } = parseArgs({ options: { updates: { type: "string", default: "20000" } } });
const updates = Number(values.updates);
const items = 2000;
const text = "x".repeat(1000);

const folder = mkdtempSync(join(tmpdir(), "tables-"));
const tables = await startDynamodb(folder);
await createTable(tables);
const begin = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (let count = next++; count < updates; count = next++) {
      await call(tables, "UpdateItem", {
        TableName: "items",
        Key: { id: { S: String(count % items) } },
        UpdateExpression: "SET version = :new, content = :content",
        ConditionExpression: "attribute_not_exists(version) OR version < :new",
        ExpressionAttributeValues: { ":new": { N: String(count) }, ":content": { S: text } },
      });
    }
  }),
);
const seconds = (performance.now() - begin) / 1000;
await tables.stop();
const bytes = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
rmSync(folder, { recursive: true });
console.log(
  `${Math.round(updates / seconds)} conditional updates/s; ${(bytes / 1e6).toFixed(1)} MB for items of ${((items * text.length) / 1e6).toFixed(1)} MB; peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
);

async function createTable(to: Tables): Promise<void> {
  await call(to, "CreateTable", {
    TableName: "items",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
  });
  while ((await call(to, "DescribeTable", { TableName: "items" })).Table.TableStatus !== "ACTIVE") {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function call(to: Tables, operation: string, input: object) {
  const answer = await to.service({
    method: "POST",
    path: "/",
    query: new URLSearchParams(),
    headers: {
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "content-type": "application/x-amz-json-1.0",
    },
    body: Buffer.from(JSON.stringify(input)),
  });
  const body = Buffer.from(answer.body).toString();
  if (answer.status !== 200) throw new Error(body);
  return JSON.parse(body);
}
