import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { demoPort } from "../../local/demo/site.ts";
import { freePorts } from "../free-ports.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "local/invoke.ts");

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
