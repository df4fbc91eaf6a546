import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { inBundlesFolder } from "../../infra/bundles-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { root } from "./templates.ts";

/** A process that makes its folder, says where, and waits until its input ends. */
function synthesisIn(parent: string) {
  const module = JSON.stringify(join(root, "infra/bundles-folder.ts"));
  const code = `
    const { inBundlesFolder } = await import(${module});
    await inBundlesFolder(${JSON.stringify(parent)}, async (folder) => {
      process.stdout.write(folder);
      for await (const _ of process.stdin);
    });`;
  return spawn(process.execPath, ["--input-type=module", "--eval", code], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

it("two syntheses at once → each has a folder of its own as long as it needs it; then both are gone", async () => {
  const parent = temporaryFolder();
  const others = [synthesisIn(parent), synthesisIn(parent)];
  const folders = await Promise.all(
    others.map(async ({ stdout }) => String((await once(stdout, "data"))[0])),
  );
  await inBundlesFolder(parent, async (own) => {
    expect(new Set([own, ...folders]).size).toBe(3);
    expect([own, ...folders].map(existsSync)).toEqual([true, true, true]);
    // The same depth: a source map names its sources relative to it.
    expect(folders.map((folder) => dirname(folder))).toEqual([dirname(own), dirname(own)]);
  });
  expect(folders.map(existsSync)).toEqual([true, true]);
  await Promise.all(
    others.map((each) => {
      each.stdin.end();
      return once(each, "exit");
    }),
  );
  expect(readdirSync(parent)).toEqual([]);
});

it("one that was killed → the next one removes its folder, and nothing else", async () => {
  const parent = temporaryFolder();
  mkdirSync(join(parent, "build"));
  const killed = synthesisIn(parent);
  const folder = String((await once(killed.stdout, "data"))[0]);
  writeFileSync(join(folder, "read-feed.mjs"), "");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await inBundlesFolder(parent, async () => expect(existsSync(folder)).toBe(false));
  expect(readdirSync(parent)).toEqual(["build"]);
});

it("a synthesis that fails → says why, and leaves nothing", async () => {
  const parent = temporaryFolder();
  const failing = inBundlesFolder(parent, async () => {
    throw new Error("no such file");
  });
  await expect(failing).rejects.toThrow("no such file");
  expect(readdirSync(parent)).toEqual([]);
});
