import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../infra/templates.ts";

it.each([
  [["--help"], 0, "stdout"],
  [["-h"], 2, "stderr"],
  [["--reporter", "dot"], 2, "stderr"],
] as const)("npm run permissions -- %j → its usage, and no test is run", (options, exitCode, where) => {
  const file = join(root, "test/cloud/permissions/report.ts");
  const ended = spawnSync(process.execPath, [file, ...options], { encoding: "utf8" });
  expect([ended.status, ended[where]]).toEqual([
    exitCode,
    expect.stringContaining("usage: npm run permissions"),
  ]);
  if (exitCode === 2) expect(ended.stderr).toContain(`unknown option ${options[0]}`);
});
