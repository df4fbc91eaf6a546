import { globSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");

/** Replaces undici's index. */
const undiciClient: Plugin = {
  name: "undici-client",
  setup({ onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: join(import.meta.dirname, "undici-client.js") }));
  },
};

/** The source file of every function, by the name of its bundle. */
export function functionFiles(): Map<string, string> {
  return new Map(globSync("functions/*/*.ts", { cwd: root }).map((file) => [basename(file, ".ts"), file]));
}

/**
 * Bundles the functions into one folder: one `<function>.mjs` each, shared chunks beside them, and source maps. The bundles
 * contain the AWS SDK: functions run with the tested version, not with Lambda's.
 *
 * @param options.apart puts what a function loads, now or later, into a folder of its name, too: a deployment uploads only
 *   those that changed
 */
export async function bundleFunctions(folder: string, { apart }: { apart: boolean }): Promise<void> {
  const files = functionFiles();
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...files].map(([name, file]) => ({ in: file, out: name })),
    outdir: folder,
    metafile: true,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Functions share most of their code. Without shared chunks, bundling takes four times as long.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    plugins: [undiciClient],
    // ssh2 works without its native modules, which are built for the machine that installed them.
    external: ["*.node"],
    // Names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: "linked",
    sourcesContent: false,
    // Some dependencies are CommonJS and use `require` and `__dirname`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url); const __dirname = import.meta.dirname;',
    },
    logLevel: "warning",
  });
  if (apart) for (const name of files.keys()) linkBundle(join(folder, name), name, metafile);
}

/** Puts what a function loads into its folder, as hard links: dozens of functions share most of it. */
function linkBundle(folder: string, name: string, { outputs }: Metafile): void {
  const entry = Object.keys(outputs).find((output) => basename(output) === `${name}.mjs`);
  if (entry === undefined) throw new Error(`${name} was not bundled`);
  const loaded = new Set([entry]);
  for (const output of loaded) {
    for (const { path, external } of outputs[output]?.imports ?? []) if (!external) loaded.add(path);
  }
  mkdirSync(folder, { recursive: true });
  for (const output of loaded) {
    for (const file of [output, `${output}.map`]) linkSync(join(root, file), join(folder, basename(file)));
  }
}
