import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..");

/** The source file of every function, by the name of its bundle. */
export function functionFiles(): Map<string, string> {
  return new Map(globSync("functions/*/*.ts", { cwd: root }).map((file) => [basename(file, ".ts"), file]));
}

/**
 * Bundles the functions into one folder: one `<function>.mjs` each, and shared chunks beside them. The bundles contain the
 * AWS SDK: functions run with the tested version, not with Lambda's.
 */
export async function bundleFunctions(folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [...functionFiles()].map(([name, file]) => ({ in: file, out: name })),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Functions share most of their code. Without shared chunks, bundling takes four times as long.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    // ssh2 works without its native modules, which are built for the machine that installed them.
    external: ["*.node"],
    minifySyntax: true,
    sourcemap: "linked",
    sourcesContent: false,
    // Some dependencies are CommonJS and use `require` and `__dirname`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;',
    },
    logLevel: "warning",
  });
}
