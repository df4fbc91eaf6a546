import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockStateDir } from "../../../local/cloud/lock.ts";

const folder = () => mkdtempSync(join(tmpdir(), "lock-"));

test("held by a living process → says which", () => {
  const dir = folder();
  lockStateDir(dir);
  expect(() => lockStateDir(dir)).toThrow(`${dir} is in use by process ${process.pid}`);
});

test("given back → may be taken again", () => {
  const dir = folder();
  lockStateDir(dir)();
  expect(() => lockStateDir(dir)).not.toThrow();
});

test("held by a process that is gone → is taken over", () => {
  const dir = folder();
  const longGone = 2 ** 22 + 1; // Above the highest process id that Linux gives.
  writeFileSync(join(dir, "lock"), String(longGone));
  expect(() => lockStateDir(dir)).not.toThrow();
});
