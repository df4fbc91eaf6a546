import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { configuration, journal } from "../../../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { runCommand } from "./run-command.ts";

const folder = temporaryFolder();
const conf = join(folder, "x.conf");
writeFileSync(conf, configuration(journal));

describe.each([
  ["import", ["import", conf, "--dry-run"]],
  ["export", ["export"]],
])("%s --state", (_name, args) => {
  it.each([
    ["no name", ""],
    ["a blank", " "],
    ["a file", conf],
  ])("%s → exit code 2 that names it, and nothing is written", async (_what, state) => {
    const { code, stdout, stderr } = await runCommand([...args, "--state", state]);
    expect(stderr).toContain(`--state: must name a folder (got ${JSON.stringify(state)})`);
    expect([code, stdout]).toEqual([2, ""]);
    expect(existsSync("dynamodb")).toBe(false);
  });
});
