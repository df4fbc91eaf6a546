import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../shared/core/errors.ts";
import { readCdkContext } from "./cdk-context.ts";
import { isAlive } from "./cloud/lock.ts";

interface Synthesis {
  readonly outdir: string;
  readonly bundles: string;
  readonly deployable: boolean;
  readonly context: Record<string, unknown>;
}

interface Options {
  /** The folder that holds infra/, functions/ and shared/; this project's when absent. */
  readonly projectDir?: string;
  /** The sources of templates and bundles, as paths in the project folder. Absent: those of this project. */
  readonly sources?: readonly string[];
  /** Settings in place of those of `cdk.json`. */
  readonly context?: Readonly<Record<string, string>>;
  /** Bundles the functions and writes the templates. Absent: this project's. */
  readonly synthesise?: (synthesis: Synthesis) => Promise<void>;
}

const projectSources = ["infra", "functions", "shared", "package-lock.json", "cdk.json"];

/** The codes of errors of a folder that this user may not write to. */
const unwritable = new Set(["EACCES", "EPERM", "EROFS"]);

/** The folder in an assembly with a file for each process that has loaded it, named by the process id. */
const usersFolder = "users";

/**
 * The templates and bundles of the project, cached until a source changes: a warm start need not load the CDK. They are
 * written to a temporary folder and moved when complete, so that concurrent starts do not interfere. Outdated ones are
 * removed when no process runs that has loaded them: functions load their bundles at their first invocation.
 *
 * @param cacheDir a folder for the cache only
 * @throws ConfigError when this user may not write there; errors of the synthesis; nothing is cached then
 */
export async function loadAssembly(
  cacheDir: string,
  options: Options = {},
): Promise<{ outdir: string; fromCache: boolean }> {
  try {
    return await loadOrSynthesise(cacheDir, options);
  } catch (error) {
    const { code = "", path = "", message } = error as NodeJS.ErrnoException;
    const isOfCache = path.startsWith(cacheDir) || (path !== "" && cacheDir.startsWith(path));
    if (!unwritable.has(code) || !isOfCache) throw error;
    throw new ConfigError(
      `the templates and bundles cannot be built in ${cacheDir}: ${message}. Let this user write to that folder; ` +
        "--state does not move it",
    );
  }
}

async function loadOrSynthesise(
  cacheDir: string,
  {
    projectDir = join(import.meta.dirname, ".."),
    sources = projectSources,
    context: given = {},
    synthesise = synthesiseProject,
  }: Options,
): Promise<{ outdir: string; fromCache: boolean }> {
  const outdir = join(cacheDir, fingerprint(projectDir, sources, given));
  if (use(outdir)) return { outdir, fromCache: true };
  mkdirSync(cacheDir, { recursive: true });
  const others = readdirSync(cacheDir);
  const temporaryDir = mkdtempSync(join(cacheDir, "new-"));
  try {
    const context = { ...readCdkContext(projectDir), ...given };
    const templates = join(temporaryDir, "assembly");
    await synthesise({
      outdir: templates,
      bundles: join(temporaryDir, "bundles"),
      deployable: false,
      context,
    });
    moveUnlessThere(templates, outdir);
    use(outdir);
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
  }
  removeOld(cacheDir, others);
  return { outdir, fromCache: false };
}

/** A concurrent start may have written the same assembly. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** Keeps an assembly for this process. @returns whether it is there */
function use(outdir: string): boolean {
  if (!existsSync(outdir)) return false;
  const users = join(outdir, usersFolder);
  mkdirSync(users, { recursive: true });
  for (const pid of readdirSync(users)) if (!isAlive(Number(pid))) rmSync(join(users, pid), { force: true });
  writeFileSync(join(users, String(process.pid)), "");
  return true;
}

/** Removes outdated assemblies, but neither those in use nor the temporary folders of concurrent starts. */
function removeOld(cacheDir: string, names: string[]): void {
  for (const name of names) {
    const folder = join(cacheDir, name);
    if (!name.startsWith("new-") && !isUsed(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function isUsed(assembly: string): boolean {
  const users = join(assembly, usersFolder);
  return existsSync(users) && readdirSync(users).some((pid) => isAlive(Number(pid)));
}

async function synthesiseProject(synthesis: Synthesis): Promise<void> {
  const infra = await import("../infra/app.ts");
  await infra.synthesise(synthesis);
}

/** A hash of the settings, and of the paths, times and sizes of all source files. */
function fingerprint(projectDir: string, sources: readonly string[], context: object): string {
  const hash = createHash("sha256").update(JSON.stringify(context));
  for (const source of sources) {
    const root = join(projectDir, source);
    const stat = statSync(root, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    const files = stat.isDirectory() ? readdirSync(root, { recursive: true, encoding: "utf8" }).sort() : [""];
    for (const file of files) {
      const { mtimeMs, size } = statSync(join(root, file));
      hash.update(`${source}/${file}\0${mtimeMs}\0${size}\n`);
    }
  }
  return hash.digest("hex");
}
