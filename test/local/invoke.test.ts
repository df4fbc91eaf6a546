import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoPort } from "../../local/demo/site.ts";
import { freePorts } from "../free-ports.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "local/invoke.ts");

it.each<[string, string[], number, "stdout" | "stderr"]>([
  ["--help → what it does, and success", ["--help"], 0, "stdout"],
  ["nothing to invoke → the same as an error", [], 2, "stderr"],
  ["no such function → the same as an error", ["nothing", "events/read-feed.json"], 2, "stderr"],
])("npm run invoke: %s", (_title, args, status, stream) => {
  const ended = spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  expect(ended.status).toBe(status);
  expect(ended[stream]).toMatch(/^npm run invoke -- FUNCTION EVENT\.json/m);
});

describe("a sample before its turn", () => {
  it.each([
    [
      "validate-records",
      /^nothing is invoked: there is no run live-20261120T190000Z in /m,
      "start-harvest, .*, read-article",
    ],
    ["test-rule", /^1 message was returned to the queue/m, "start-harvest, send-requests"],
    ["public-api", /^the response is 404$/m, "start-harvest, .*, read-article"],
  ])("%s → exit code 1, why, and which come first", (name, why, before) => {
    const state = join(temporaryFolder(), "state");
    const args = [program, name, join(root, `events/${name}.json`), "--state", state, "--port", "0"];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringMatching(why)]);
    expect(stderr).toMatch(new RegExp(`invoke them first, in this order: ${before}$`, "m"));
  });
});

it("samples in their order → done, and the delivered file lies where mails link to", async () => {
  const port = String(await freePorts());
  const folder = temporaryFolder();
  const state = join(folder, "state");
  for (const name of [
    "start-harvest",
    "send-requests",
    "read-article",
    "validate-records",
    "upload-records",
  ]) {
    const event = join(folder, `${name}.json`);
    const sample = readFileSync(join(root, `events/${name}.json`), "utf8");
    writeFileSync(event, sample.replaceAll(`127.0.0.1:${demoPort}`, `127.0.0.1:${port}`));
    const args = [program, name, event, "--state", state, "--port", port];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect(status, stderr).toBe(0);
  }
  const files = globSync("deliveries/**/*.xml", { cwd: state });
  expect(files).toEqual([expect.stringMatching(/Ingather_zotero_\d{6}_001\.xml$/)]);
});
