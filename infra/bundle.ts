import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Every function's file, by the name that its bundle has. */
export function functionFiles(): Map<string, string> {
  return new Map(globSync("functions/*/*.ts", { cwd: root }).map((file) => [basename(file, ".ts"), file]));
}

/**
 * Bundles each function into `<folder>/<function>/index.mjs`, all in one call: with what it needs of the AWS SDK, so that
 * what runs is what was tested, not what Lambda happens to have.
 */
export async function bundleFunctions(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [...functionFiles()].map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    // ssh2 does without its native parts, which belong to the machine that installed them.
    external: ["*.node"],
    minifySyntax: true,
    sourcemap: "linked",
    sourcesContent: false,
    // Some dependencies are CommonJS: they ask for Node's modules by require, and for their folder.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;',
    },
    logLevel: "warning",
  });
}
