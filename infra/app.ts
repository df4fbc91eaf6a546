import { join } from "node:path";
import { ConfigError } from "../shared/core/errors.ts";
import { bundleFunctions } from "./bundle.ts";
import { inBundlesFolder } from "./bundles-folder.ts";
import { setNamePrefix } from "./name-prefix.ts";
import type { SynthesisOptions } from "./templates.ts";

/** Bundles the functions and writes the templates of all stacks. */
export async function synthesise(options: SynthesisOptions): Promise<void> {
  const bundling = bundleFunctions(options.bundles, { apart: options.deployable });
  // The bundler is a separate process. The CDK, which takes half a second to load, is loaded meanwhile.
  const [{ writeTemplates }] = await Promise.all([import("./templates.ts"), bundling]);
  await writeTemplates(options);
}

if (import.meta.main) {
  try {
    setNamePrefix();
    await inBundlesFolder(join(import.meta.dirname, "../.ingather"), (bundles) =>
      synthesise({ bundles, deployable: true }),
    );
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
