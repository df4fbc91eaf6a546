import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { synthesise } from "../../infra/app.ts";

export interface Resource {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is what the tests are about
  Properties: Record<string, any>;
}

export const root = join(import.meta.dirname, "../..");

/**
 * The resources of all stacks, and where the functions' bundles are: `<bundles>/<name of the function's file>.mjs`. They are
 * deleted when the file's tests are done.
 */
export async function templates(): Promise<{ resources: [id: string, Resource][]; bundles: string }> {
  const folder = mkdtempSync(join(tmpdir(), "ingather-templates-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const { context } = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8"));
  const [outdir, bundles] = [join(folder, "out"), join(folder, "bundles")];
  await synthesise({ outdir, bundles, checks: false, context });
  const files = readdirSync(outdir).filter((name) => name.endsWith(".template.json"));
  const resources = files.flatMap((file) =>
    Object.entries<Resource>(JSON.parse(readFileSync(join(outdir, file), "utf8")).Resources),
  );
  return { resources, bundles };
}
