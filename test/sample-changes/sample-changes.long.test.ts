import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { namedFiles } from "./named-files.ts";
import { type Edit, sampleChanges } from "./samples.ts";

const root = join(import.meta.dirname, "../..");
const rows = namedFiles();

describe.each(Object.entries(sampleChanges))("%s", (_, { row, edits }) => {
  it("touches only files that its row of CONTRIBUTING.md names", () => {
    const isNamed = rows.get(row);
    expect([...rows.keys()]).toContain(row);
    expect(edits.map(({ file }) => file).filter((file) => !isNamed?.(file))).toEqual([]);
  });
});

it("a file that no row names → not named", () => {
  expect(rows.size).toBeGreaterThan(50);
  expect([...rows.values()].some((isNamed) => isNamed("shared/core/clock.ts"))).toBe(false);
});

describe("a copy of the project with all of these changes", () => {
  const copy = join(temporaryFolder(), "ingather");

  beforeAll(() => {
    const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
    }).split("\0");
    for (const file of files.filter((each) => each !== "" && existsSync(join(root, each)))) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      cpSync(join(root, file), join(copy, file));
    }
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    for (const { edits } of Object.values(sampleChanges)) for (const edit of edits) apply(edit);
  });

  function apply(edit: Edit): void {
    const path = join(copy, edit.file);
    mkdirSync(dirname(path), { recursive: true });
    if ("content" in edit) {
      writeFileSync(path, edit.content, { flag: "wx" });
      return;
    }
    const text = readFileSync(path, "utf8");
    const place = "after" in edit ? edit.after : edit.before;
    if (text.split(place).length !== 2) throw new Error(`${edit.file} must have once: ${place}`);
    writeFileSync(
      path,
      text.replace(place, () => ("after" in edit ? place + edit.insert : edit.insert + place)),
    );
  }

  const run = (script: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(copy, script), ...args], { cwd: copy }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => Promise.reject(new Error(stdout + stderr)),
    );

  it("passes the type check", async () => {
    await run("node_modules/typescript/bin/tsc", "--noEmit");
  });

  it("passes the tests of the structure and of the documents, once these are written anew", async () => {
    await run("local/docs/write-pages.ts");
    const scripts = ["test/imports.test.ts", "test/local/docs", "test/shared/api/open-api.test.ts"];
    await run("node_modules/vitest/vitest.mjs", "run", "--project", "unit", ...scripts);
  });
});
