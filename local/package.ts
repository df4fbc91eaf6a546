/**
 * Compiles the command line and the library into `dist/` for `npm pack`, because Node does not run TypeScript
 * under `node_modules`. Dependencies are not bundled. Commands that open the state of `npm start` need a
 * clone, because its emulators and the CDK are development dependencies.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { recipeFiles } from "../infra/recipe-files.ts";
import { writeDeclarations } from "./package/declarations.ts";
import { libraryEntries } from "./package/library-entries.ts";

const root = join(import.meta.dirname, "..");
const outdir = join(root, "dist");
rmSync(outdir, { recursive: true, force: true });
const library = libraryEntries(root);
await build({
  absWorkingDir: root,
  entryPoints: [
    ...[
      "local/ingather.ts",
      "local/cli/links/judge-worker.ts",
      "local/cli/commands/check-links/threads/start-thread.js",
      "local/cli/snapshots/index/build-worker.ts",
      "local/cli/snapshots/capture/capture-worker.js",
    ].map((file) => ({
      in: file,
      out: file.replace(/^.*\/|\.[jt]s$/g, ""),
    })),
    ...library.map(({ name, file }) => ({ in: file, out: `library/${name}` })),
  ],
  outdir,
  bundle: true,
  splitting: true,
  packages: "external",
  // These modules read the sources, which only a clone has.
  external: ["*/open-cloud.ts"],
  format: "esm",
  platform: "node",
  target: "node22",
  plugins: [recipeFiles],
  logLevel: "warning",
});
writeDeclarations(
  root,
  library.map(({ file }) => file),
  join(outdir, "types"),
);
