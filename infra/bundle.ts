import { globSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { recipeFiles } from "./recipe-files.ts";

const root = join(import.meta.dirname, "..");

/** Replaces undici's index. */
const undiciClient: Plugin = {
  name: "undici-client",
  setup({ onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: join(import.meta.dirname, "undici-client.js") }));
  },
};

/**
 * The packages that the SDK loads if the environment has no credentials. A function always has the
 * credentials of its role.
 */
const otherCredentials = ["sso", "ini", "process", "web-identity", "http"].map(
  (name) => `@aws-sdk/credential-provider-${name}`,
);

/** Returns the source file of each function, by the name of its bundle. */
export function functionFiles(): Map<string, string> {
  return new Map(globSync("functions/*/*.ts", { cwd: root }).map((file) => [basename(file, ".ts"), file]));
}

/** An entry point of a bundle, and its name. */
interface EntryPoint {
  in: string;
  out: string;
}

/**
 * Bundles the functions: one `<function>.mjs` each, its dynamically imported modules beside it, and source
 * maps. The bundles contain the AWS SDK, so that functions run with the tested version, not with Lambda's.
 *
 * @param options.apart bundles each function separately into a folder of its name, as it is deployed. A
 *   function then starts a fifth faster, because its bundle has no code that only other functions use, and a
 *   deployment uploads only changed functions. Otherwise, all functions are in one folder and share chunks,
 *   which takes a quarter of the time.
 */
export async function bundleFunctions(folder: string, { apart }: { apart: boolean }): Promise<void> {
  const entryPoints = [...functionFiles()].map(([name, file]) => ({ in: file, out: name }));
  rmSync(folder, { recursive: true, force: true });
  if (apart) await Promise.all(entryPoints.map((each) => bundle([each], join(folder, each.out))));
  else await bundle(entryPoints, folder);
}

async function bundle(entryPoints: EntryPoint[], outdir: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Dynamically imported modules are separate files, which are read only when they are imported.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    plugins: [undiciClient, recipeFiles],
    // ssh2 works without its native modules, which are compiled for the machine that installed them.
    external: ["*.node", ...otherCredentials],
    // Names are kept for stack traces.
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
}
