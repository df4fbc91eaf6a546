import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { missingBrowser, removeAbandoned, unpackBrowser } from "../../../local/browser/unpack-browser.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const missing = missingBrowser();

describe.skipIf(missing !== undefined)(`the packed browser${missing ? ` (skipped: ${missing})` : ""}`, () => {
  it("unpacked by two at once → one folder, whole, with fonts, graphics and libraries; others' leftovers are gone", async () => {
    const cache = temporaryFolder();
    const ended = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim();
    for (const left of [`new-${ended}-abcdef`, "1.0.0"]) mkdirSync(join(cache, left));
    const [one, other] = await Promise.all([unpackBrowser(cache), unpackBrowser(cache)]);
    expect(other).toEqual(one);
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    const folder = dirname(one.executable);
    const parts = ["chromium", "libvk_swiftshader.so", "fonts.conf", "al2023/lib/libnss3.so"];
    expect(parts.filter((part) => !existsSync(join(folder, part)))).toEqual([]);
    expect(globSync("fonts/**/*.ttf", { cwd: folder })).not.toEqual([]);
    expect(execFileSync(one.executable, ["--version"], { encoding: "utf8" })).toContain("Chromium");
  });

  it("files that others may write → are not executed, and the error says what to delete", async () => {
    const cache = temporaryFolder();
    const description = join(import.meta.dirname, "../../../node_modules/@sparticuz/chromium/package.json");
    const { version } = JSON.parse(readFileSync(description, "utf8"));
    const folder = join(cache, version);
    mkdirSync(folder, { mode: 0o700 });
    const marker = join(cache, "executed");
    writeFileSync(join(folder, "chromium"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o700 });
    chmodSync(join(folder, "chromium"), 0o777);
    await expect(unpackBrowser(cache)).rejects.toThrow(`${join(folder, "chromium")} belongs to another user`);
    chmodSync(join(folder, "chromium"), 0o700);
    chmodSync(folder, 0o777);
    await expect(unpackBrowser(cache)).rejects.toThrow(`${folder} belongs to another user`);
    expect(existsSync(marker)).toBe(false);
  });
});

it("the version that another process has unpacked meanwhile → stays; what a running one unpacks, too", () => {
  const cache = temporaryFolder();
  const running = `new-${process.pid}-abcdef`;
  for (const name of ["2.0.0", "1.0.0", running]) mkdirSync(join(cache, name));
  removeAbandoned(cache, "2.0.0");
  expect(readdirSync(cache).sort()).toEqual(["2.0.0", running]);
});

it.each([
  ["linux", "x64", undefined],
  ["linux", "arm64", "the packed browser runs only on Linux on x64 (this is linux on arm64)"],
  ["darwin", "arm64", "the packed browser runs only on Linux on x64 (this is darwin on arm64)"],
])("%s on %s → %s", (platform, arch, problem) => {
  expect(missingBrowser({ platform: platform as NodeJS.Platform, arch: arch as NodeJS.Architecture })).toBe(
    problem,
  );
});
