import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Every function's file, by the name that its bundle has. */
export function functionFiles(): Map<string, string> {
  return new Map(globSync("functions/*/*.ts", { cwd: root }).map((file) => [basename(file, ".ts"), file]));
}

/**
 * Bundles the functions into one folder: each as `<function>.mjs`, what several have in common in files beside them, and
 * with what they need of the AWS SDK, so that what runs is what was tested, not what Lambda happens to have.
 */
export async function bundleFunctions(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [...functionFiles()].map(([name, file]) => ({ in: file, out: name })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Most of a function is what others have too: writing it for each would take four times as long.
    splitting: true,
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
