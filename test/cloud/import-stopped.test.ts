import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeEmptyLists } from "../local/cli/commands/empty-lists.ts";
import { jsonLines, runCommand } from "../local/cli/commands/run-command.ts";
import { configuration, journal } from "../shared/records/sources/fixtures.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { stateFolder } from "./local-cloud.ts";

const stateDir = stateFolder();
const folder = temporaryFolder();
const file = join(folder, "journals.conf");
writeFileSync(file, configuration(journal));
writeEmptyLists(folder);

/** The command in a process of its own: this one can open a state folder once. */
function importAgain(...options: string[]): { code: number | null; last: Record<string, unknown> } {
  const args = [join(import.meta.dirname, "../../local/ingather.js"), "import", file];
  const { status, stdout } = spawnSync(
    process.execPath,
    [...args, "--state", stateDir, "--json", ...options],
    {
      env: { ...process.env, AWS_ENDPOINT_URL: "" },
      encoding: "utf8",
    },
  );
  return { code: status, last: jsonLines(stdout).at(-1) };
}

it("import --json, stopped → says that it is incomplete, and has written nothing; again → imported", async () => {
  const stop = new AbortController();
  stop.abort(new Error("stopped by SIGINT"));
  const args = ["import", file, "--state", stateDir, "--json"];
  const { code, stdout } = await runCommand(args, { signal: stop.signal });
  expect([code, jsonLines(stdout)]).toEqual([130, [{ complete: false, reason: "stopped by SIGINT" }]]);
  expect(importAgain()).toMatchObject({ code: 0, last: { type: "imported", version: 1, sources: 1 } });
});

it("import --json of a refused file → its problems, exit code 1", () => {
  writeFileSync(file, `${configuration(journal)}\n[Group of nobody\n`);
  expect(importAgain("--strict")).toMatchObject({ code: 1, last: { type: "refused" } });
});
