import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Template } from "../../infra/template-resources.ts";
import { loadAssembly } from "../../local/assembly.ts";

export interface Resource {
  Type: string;
  DeletionPolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is what the tests are about
  Properties: Record<string, any>;
}

export const root = join(import.meta.dirname, "../..");

/**
 * The resources of all stacks, and where the functions' bundles are: `<bundles>/<name of the function's file>.mjs`. They are
 * those that the clouds of the tests start from, made once for all.
 */
export async function templates(): Promise<{ resources: [id: string, Resource][]; bundles: string }> {
  const { outdir } = await loadAssembly(join(root, ".ingather/build"));
  const files = readdirSync(outdir).filter((name) => name.endsWith(".template.json"));
  const resources = files.flatMap((file) =>
    Object.entries<Resource>(JSON.parse(readFileSync(join(outdir, file), "utf8")).Resources),
  );
  const [bundle] = globSync("asset.*/read-feed.mjs", { cwd: outdir });
  if (bundle === undefined) throw new Error(`no bundles in ${outdir}`);
  return { resources, bundles: join(outdir, dirname(bundle)) };
}

/** The templates by the names of their stacks: a copy, which a test may change. */
export async function stackTemplates(): Promise<Record<string, Template>> {
  const { outdir } = await loadAssembly(join(root, ".ingather/build"));
  const ending = ".template.json";
  const files = readdirSync(outdir).filter((name) => name.endsWith(ending));
  return Object.fromEntries(
    files.map((file) => [
      file.slice(0, -ending.length),
      JSON.parse(readFileSync(join(outdir, file), "utf8")),
    ]),
  );
}
