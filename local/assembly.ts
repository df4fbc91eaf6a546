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
  /** The folder that contains infra/, functions/ and shared/. Default: this project's folder. */
  readonly projectDir?: string;
  /** The sources of templates and bundles, as paths in the project folder. Default: those of this project. */
  readonly sources?: readonly string[];
  /** Settings that replace those of `cdk.json`. */
  readonly context?: Readonly<Record<string, string>>;
  /** Bundles the functions and writes the templates. Default: this project's synthesis. */
  readonly synthesise?: (synthesis: Synthesis) => Promise<void>;
}

const projectSources = ["infra", "functions", "shared", "package-lock.json", "cdk.json"];

/** The error codes for a folder to which this user may not write. */
const unwritable = new Set(["EACCES", "EPERM", "EROFS"]);

/** The subfolder of an assembly with one file per process that has loaded it, named by the process id. */
const usersFolder = "users";

/**
 * Returns the templates and bundles of the project. They are cached until a source changes, so that a warm
 * start need not load the CDK. They are written to a temporary folder and moved when complete, so that
 * concurrent starts do not interfere. An outdated assembly is removed when no process that has loaded it is
 * running, because functions load their bundles at their first invocation.
 *
 * @param cacheDir a folder that is used only for the cache
 * @throws ConfigError if this user may not write to the folder
 * @throws errors of the synthesis; nothing is cached in this case
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

/** Moves a folder, unless a concurrent start has already written the same assembly. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** Registers this process as a user of an assembly. @returns whether the assembly exists */
function use(outdir: string): boolean {
  if (!existsSync(outdir)) return false;
  const users = join(outdir, usersFolder);
  mkdirSync(users, { recursive: true });
  for (const pid of readdirSync(users)) if (!isAlive(Number(pid))) rmSync(join(users, pid), { force: true });
  writeFileSync(join(users, String(process.pid)), "");
  return true;
}

/** Removes outdated assemblies, except those in use and the temporary folders of concurrent starts. */
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

/** Returns a hash of the settings, and of the paths, times and sizes of all source files. */
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
