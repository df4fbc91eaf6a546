import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { inSource } from "../../../shared/runtime/source-position.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const folder = temporaryFolder();

it("shows where in the source an error of a minified bundle was thrown", async () => {
  writeFileSync(
    join(folder, "fails.ts"),
    "// A comment.\nexport function fail(field: string): never {\n  throw new Error(field);\n}\n",
  );
  const outfile = join(folder, "fails.mjs");
  await build({
    entryPoints: [join(folder, "fails.ts")],
    outfile,
    format: "esm",
    minify: true,
    sourcemap: "linked",
  });
  // In a process of its own, as vitest maps stack traces itself.
  const code = `try { (await import("${pathToFileURL(outfile)}")).fail("title") } catch (error) { console.log(error.stack) }`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    encoding: "utf8",
  });
  const line = stdout.split("\n").find((each) => each.includes("fails.mjs")) ?? stdout;
  expect(inSource(line)).toMatch(/fails\.ts:3:9\)?$/);
});

it.each([
  ["a file without a map", "at send (file:///var/task/gone.mjs:12:5)"],
  ["a module of Node", "at node:internal/process/task_queues:95:5"],
  ["no position", "at async Promise.all (index 0)"],
])("leaves a line with %s as it is", (_name, line) => {
  expect(inSource(line)).toBe(line);
});
