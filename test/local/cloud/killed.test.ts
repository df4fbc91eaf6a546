import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type LocalCloud, startCloud } from "../../../local/cloud/cloud.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { smallAssembly } from "./fixtures/small-app.ts";

let holder: ChildProcess | undefined;
let cloud: LocalCloud | undefined;
afterEach(async () => {
  holder?.kill("SIGKILL");
  await cloud?.stop();
});

test("killed while a message is in progress → it and its followers are done at the next start, in order", async () => {
  const folder = temporaryFolder();
  const stateDir = join(folder, "state");
  const assemblyDir = await smallAssembly();
  const jobs = [
    { id: "hold", does: "wait-for-restart", group: "g" },
    { id: "follower", group: "g" },
  ];
  const script = join(import.meta.dirname, "fixtures", "hold-message.ts");
  holder = spawn(process.execPath, [script, assemblyDir, stateDir, JSON.stringify(jobs)], {
    stdio: "inherit",
  });
  const log = join(stateDir, "logs", "small-work.log");
  await expect.poll(() => existsSync(log) && readFileSync(log, "utf8")).toContain("holding");
  holder.kill("SIGKILL");
  await new Promise((resolve) => holder?.once("exit", resolve));

  // The visibility timeout of the queue is an hour: only the start can have made the message visible.
  const environment = { "small-work": { RESTARTED: "yes" } };
  cloud = await startCloud({ assemblyDir, stateDir, schedules: "none", environment });
  await cloud.waitUntilIdle();
  const { Items } = (await cloud.invoke("small-call", {
    service: "dynamodb",
    command: "ScanCommand",
    input: { TableName: "small-done" },
  })) as { Items: { id: { S: string }; order: { S: string } }[] };
  const done = Items.sort((a, b) => a.order.S.localeCompare(b.order.S)).map(({ id }) => id.S);
  // The receive that the kill cut off does not count, or a message that meets many kills would go to the dead-letter queue.
  expect(done).toEqual(["hold#1", "follower#1"]);
});
