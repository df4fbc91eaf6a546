import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { loadAssembly } from "../../local/assembly.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function project() {
  const folder = temporaryFolder();
  const [projectDir, stateDir] = [join(folder, "project"), join(folder, "state")];
  mkdirSync(join(projectDir, "shared", "core"), { recursive: true });
  mkdirSync(stateDir);
  writeFileSync(join(projectDir, "shared", "core", "a.ts"), "1");
  writeFileSync(join(projectDir, "cdk.json"), '{"context": {"zone": "UTC"}}');
  const contexts: unknown[] = [];
  const synthesise = async ({ context, outdir }: { context: unknown; outdir: string }) => {
    contexts.push(context);
    mkdirSync(outdir);
  };
  return { projectDir, stateDir, contexts, make: () => loadAssembly(stateDir, { projectDir, synthesise }) };
}

test("the first time → synthesised with the context of cdk.json; the second → from the cache", async () => {
  const { stateDir, contexts, make } = project();
  const first = await make();
  expect(first.fromCache).toBe(false);
  expect(await make()).toEqual({ outdir: first.outdir, fromCache: true });
  expect(readdirSync(stateDir)).toEqual([basename(first.outdir)]);
  expect(contexts).toEqual([{ zone: "UTC" }]);
});

test.each<[string, (projectDir: string) => void]>([
  ["a file changed", (dir) => writeFileSync(join(dir, "shared/core/a.ts"), "22")],
  ["a file touched", (dir) => utimesSync(join(dir, "shared/core/a.ts"), 1, 1)],
  ["a file added", (dir) => writeFileSync(join(dir, "shared/b.ts"), "")],
  ["the context changed", (dir) => writeFileSync(join(dir, "cdk.json"), "{}")],
])("%s → synthesised again", async (_title, change) => {
  const { projectDir, make } = project();
  await make();
  change(projectDir);
  expect((await make()).fromCache).toBe(false);
});

test("a source changes while a process runs with the assembly → that one stays until the process has ended", async () => {
  const { projectDir, stateDir, make } = project();
  const { outdir } = await make();
  writeFileSync(join(projectDir, "shared/b.ts"), "");
  const newer = await make();
  expect(readdirSync(stateDir).toSorted()).toEqual([basename(outdir), basename(newer.outdir)].toSorted());
  const [user = ""] = readdirSync(join(outdir, "users"));
  // The id of a process that has ended.
  renameSync(join(outdir, "users", user), join(outdir, "users", String(spawnSync("true").pid)));
  writeFileSync(join(projectDir, "shared/c.ts"), "");
  const newest = await make();
  writeFileSync(join(newest.outdir, "users", String(spawnSync("true").pid)), "");
  await make();
  expect(readdirSync(join(newest.outdir, "users"))).toEqual([String(process.pid)]);
  expect(readdirSync(stateDir).toSorted()).toEqual(
    [basename(newer.outdir), basename(newest.outdir)].toSorted(),
  );
});

test("a synthesis that fails → is tried again", async () => {
  const { projectDir, stateDir, make } = project();
  const synthesise = () => Promise.reject(new Error("does not compile"));
  await expect(loadAssembly(stateDir, { projectDir, synthesise })).rejects.toThrow("does not compile");
  expect((await make()).fromCache).toBe(false);
});

test("two starts at the same time → both have it, and nothing is left over", async () => {
  const { stateDir, make } = project();
  const [one, other] = await Promise.all([make(), make()]);
  expect(one.outdir).toBe(other.outdir);
  expect(readdirSync(stateDir)).toEqual([basename(one.outdir)]);
});

test("a folder that this user may not write to → named; an error of another folder → as it is", async () => {
  const { projectDir, stateDir } = project();
  const failing = (path: string) => async () => {
    throw Object.assign(new Error(`EACCES: permission denied, open '${path}'`), { code: "EACCES", path });
  };
  const make = (path: string) => loadAssembly(stateDir, { projectDir, synthesise: failing(path) });
  await expect(make(join(stateDir, "new-1"))).rejects.toThrow(
    new RegExp(`cannot be built in ${stateDir}: EACCES.*Let this user write to that folder`),
  );
  await expect(make("/elsewhere")).rejects.toThrow(/^EACCES: permission denied, open '\/elsewhere'$/);
});
