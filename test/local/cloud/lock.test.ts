import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockStateDir } from "../../../local/cloud/lock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("held by a living process → says which", () => {
  const dir = temporaryFolder();
  lockStateDir(dir);
  expect(() => lockStateDir(dir)).toThrow(`${dir} is in use by process ${process.pid}`);
});

test("given back → may be taken again", () => {
  const dir = temporaryFolder();
  lockStateDir(dir)();
  expect(() => lockStateDir(dir)).not.toThrow();
});

test("held by a process that is gone → is taken over", () => {
  const dir = temporaryFolder();
  const longGone = 2 ** 22 + 1; // Above the highest process id that Linux gives.
  writeFileSync(join(dir, "lock"), String(longGone));
  expect(() => lockStateDir(dir)).not.toThrow();
});
