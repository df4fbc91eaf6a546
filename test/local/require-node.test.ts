import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const script = "local/require-node.js";

describe("the Node that a script runs with", () => {
  it.each([
    ["runs TypeScript → nothing is said", [], 0, /^$/],
    [
      "does not → said with its version, and what to do",
      ["--no-strip-types"],
      1,
      /^This needs Node .*npm ci/,
    ],
  ])("%s", (_title, options, code, says) => {
    const { status, stderr } = spawnSync(process.execPath, [...options, script], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status).toBe(code);
    expect(stderr).toMatch(says);
  });

  it.each(["start", "invoke", "test"])("is looked at before npm runs %s", (name) => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(scripts[`pre${name}`]).toBe(`node ${script}`);
  });

  it.each(["start", "invoke"])("is what signals to npm run %s reach: no shell stays in between", (name) => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(scripts[name]).toMatch(/^([A-Z_]+=\w+ )?exec node /);
  });
});
