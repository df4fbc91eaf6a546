import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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
  /** Bundles the functions and writes the templates; the project's own when absent. */
  readonly synthesise?: (synthesis: Synthesis) => Promise<void>;
}

/** What the templates and bundles are made of. */
const sources = ["infra", "functions", "shared", "package-lock.json", "cdk.json"];

/**
 * The templates and bundles of the project, kept below the state folder until one of their sources changes: a warm
 * start need not load the CDK.
 *
 * @throws whatever the synthesis throws; then nothing is kept.
 */
export async function assembly(
  stateDir: string,
  { projectDir = join(import.meta.dirname, ".."), synthesise = synthesiseProject }: Options = {},
): Promise<{ outdir: string; fromCache: boolean }> {
  const outdir = join(stateDir, "assembly");
  const keptIn = join(stateDir, "assembly.fingerprint");
  const current = fingerprint(projectDir);
  if (textOf(keptIn) === current) return { outdir, fromCache: true };
  rmSync(keptIn, { force: true });
  rmSync(outdir, { recursive: true, force: true });
  const context = JSON.parse(textOf(join(projectDir, "cdk.json")) ?? "{}").context ?? {};
  await synthesise({ outdir, bundles: join(stateDir, "bundles"), checks: false, context });
  writeFileSync(keptIn, current);
  return { outdir, fromCache: false };
}

async function synthesiseProject(synthesis: Synthesis): Promise<void> {
  const infra = await import("../infra/app.ts");
  await infra.synthesise(synthesis);
}

/** Changes with the path, the time or the size of any source file. */
function fingerprint(projectDir: string): string {
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

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
