import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

interface Synthesis {
  readonly outdir: string;
  readonly bundles: string;
  readonly checks: boolean;
  readonly context: Record<string, unknown>;
}

interface Options {
  /** The folder that holds infra/, functions/ and shared/; this project's when absent. */
  readonly projectDir?: string;
  /** What the templates and bundles are made of, as paths in it; those of the project when absent. */
  readonly sources?: readonly string[];
  /** Bundles the functions and writes the templates; the project's own when absent. */
  readonly synthesise?: (synthesis: Synthesis) => Promise<void>;
}

const projectSources = ["infra", "functions", "shared", "package-lock.json", "cdk.json"];

/**
 * The templates and bundles of the project, kept until one of their sources changes: a warm start need not load the
 * CDK. They are made beside their place and moved there when they are whole, so that starts at the same time do not
 * disturb each other.
 *
 * @param cacheDir the folder that keeps them, and nothing else
 * @throws whatever the synthesis throws; then nothing is kept.
 */
export async function loadAssembly(
  cacheDir: string,
  {
    projectDir = join(import.meta.dirname, ".."),
    sources = projectSources,
    synthesise = synthesiseProject,
  }: Options = {},
): Promise<{ outdir: string; fromCache: boolean }> {
  const outdir = join(cacheDir, fingerprint(projectDir, sources));
  if (existsSync(outdir)) return { outdir, fromCache: true };
  mkdirSync(cacheDir, { recursive: true });
  const others = readdirSync(cacheDir);
  const temporaryDir = mkdtempSync(join(cacheDir, "new-"));
  try {
    const context = JSON.parse(readIfExists(join(projectDir, "cdk.json")) ?? "{}").context ?? {};
    const templates = join(temporaryDir, "assembly");
    await synthesise({ outdir: templates, bundles: join(temporaryDir, "bundles"), checks: false, context });
    moveUnlessThere(templates, outdir);
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
  }
  removeOld(cacheDir, others);
  return { outdir, fromCache: false };
}

/** Another start may have made the same meanwhile. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** Removes the assemblies of earlier sources; what another start is making right now is left. */
function removeOld(cacheDir: string, names: string[]): void {
  for (const name of names) {
    if (!name.startsWith("new-")) rmSync(join(cacheDir, name), { recursive: true, force: true });
  }
}

async function synthesiseProject(synthesis: Synthesis): Promise<void> {
  const infra = await import("../infra/app.ts");
  await infra.synthesise(synthesis);
}

/** Changes with the path, the time or the size of any source file. */
function fingerprint(projectDir: string, sources: readonly string[]): string {
  const hash = createHash("sha256");
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

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
