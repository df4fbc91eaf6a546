import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createStateFolder } from "../../local/state-folder.ts";
import { ConfigError } from "../../shared/core/errors.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("a folder below others that are missing → created with them, and found again", () => {
  const folder = join(temporaryFolder(), "a/b");
  createStateFolder(folder);
  createStateFolder(folder);
  expect(existsSync(folder)).toBe(true);
});

it.runIf(process.platform === "linux")("a folder in /proc → refused in words, at once", () => {
  expect(() => createStateFolder("/proc/ingather/state")).toThrow(
    new ConfigError(
      "the state cannot be kept in /proc/ingather/state: no folder can be created in /proc. " +
        "Choose another folder with --state",
    ),
  );
});

it("a folder in a file → the file is named", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => createStateFolder(join(file, "state"))).toThrow(`${file} is not a folder`);
  expect(() => createStateFolder(file)).toThrow(`${file} is not a folder`);
});

it("a link that leads nowhere → named", () => {
  const link = join(temporaryFolder(), "link");
  symlinkSync("/nowhere/at/all", link);
  expect(() => createStateFolder(join(link, "state"))).toThrow(`${link} exists already`);
});
