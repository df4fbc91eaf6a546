import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { copyPlace } from "../../local/cli/commands/copy-place.ts";
import { runCommand } from "../local/cli/commands/run-command.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { stateFolder, testCloud } from "./local-cloud.ts";

/** Two tables with the same key. */
const [from, to] = ["ingather-archive", "ingather-keyed-requests"];
const count = 1500;
/** Of 8 KB each: more than a page of each segment holds. */
const itemOf = (at: number, text = "x".repeat(8000)) => ({
  key: { S: `k-${at}` },
  text: { S: text },
  set: { SS: ["a", "b"] },
});

let client: DynamoDBClient;
beforeAll(async () => {
  const cloud = await testCloud(stateFolder(), { polling: false });
  for (const [name, value] of Object.entries(cloud.adminEnvironment)) vi.stubEnv(name, value);
  client = new DynamoDBClient({});
  for (let start = 0; start < count; start += 25) {
    const puts = Array.from({ length: 25 }, (_, at) => ({ PutRequest: { Item: itemOf(start + at) } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [from]: puts } }));
  }
  await client.send(new PutItemCommand({ TableName: to, Item: itemOf(7, "own") }));
});

const read = async (key: string) =>
  (await client.send(new GetItemCommand({ TableName: to, Key: { key: { S: key } } }))).Item;

describe("npx ingather copy-items", () => {
  it("restore-a-table: FROM TO → what TO lacks is there, with its types; what it has stays", async () => {
    const { code, stdout, stderr } = await runCommand(["copy-items", from, to]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`${from} → ${to}: ${count} read, ${count - 1} written\n`);
    expect(await read("k-1499")).toEqual(itemOf(1499));
    expect(await read("k-7")).toEqual(itemOf(7, "own"));
  });

  it("repeated → nothing is written", async () => {
    expect((await runCommand(["copy-items", from, to])).stdout).toContain(`${count} read, 0 written`);
  });

  it("--overwrite → what TO has is replaced", async () => {
    const { stdout } = await runCommand(["copy-items", from, to, "--overwrite"]);
    expect(stdout).toContain(`${count} read, ${count} written`);
    expect(await read("k-7")).toEqual(itemOf(7));
  });

  it("killed after any page → with its place, the rest is copied, and at most one page of each segment again", async () => {
    const { copyItems } = await import("../../shared/adapters/aws/copy-items.ts");
    const tables = { from: { table: from }, to: { table: to }, overwrite: true };
    let isWithin = false;
    for (let pages = 1; pages <= 8; pages += 2) {
      const path = join(temporaryFolder(), "place.json");
      const place = copyPlace(path, { ...tables, to: { table: to } });
      let left = pages;
      const killed = copyItems(tables, (done) => {
        if (left === 0) throw new Error("killed");
        left -= 1;
        place.save(done);
      });
      await expect(killed).rejects.toThrow("killed");
      const known = place.load();
      expect(known?.read).toBeLessThan(count);
      isWithin ||= known?.segments.some(({ after, isDone }) => after !== undefined && !isDone) ?? false;
      const { code, stdout } = await runCommand(["copy-items", from, to, "--overwrite", "--resume", path]);
      expect([code, stdout]).toEqual([0, `${from} → ${to}: ${count} read, ${count} written\n`]);
      expect(existsSync(path)).toBe(false);
    }
    expect(isWithin, "a place within a segment").toBe(true);
  });

  it("--resume with the place of another copy, or none → exit code 2, and the file stays", async () => {
    const path = join(temporaryFolder(), "place.json");
    for (const [text, problem] of [
      ["{}", "does not store the position of a copy"],
      ['{"copy":{},"place":{"read":0,"written":0,"segments":[{"isDone":false}]}}', "of a different copy"],
    ] as const) {
      writeFileSync(path, text);
      const { code, stderr } = await runCommand(["copy-items", from, to, "--resume", path]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
      expect(existsSync(path)).toBe(true);
    }
  });

  it.each([
    [[], "FROM: must be one or two table names: FROM [TO]"],
    [[from], `TO: must differ from FROM, unless --to-profile or --to-region is given (got "${from}")`],
    [[from, to, "x"], "FROM: must be one or two table names: FROM [TO]"],
  ])("%j → exit code 2", async (args, problem) => {
    const { code, stderr } = await runCommand(["copy-items", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  it("a table that is not there → one line, and exit code 4", async () => {
    const { code, stderr } = await runCommand(["copy-items", from, "ingather-none"]);
    expect(stderr).toMatch(
      /^--aws: the table does not exist in eu-central-1: [^\n]*INGATHER_PREFIX[^\n]*"ingather"[^\n]*\n$/,
    );
    expect(code).toBe(4);
  });
});
