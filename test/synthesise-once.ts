import { join } from "node:path";
import { loadAssembly } from "../local/assembly.ts";

/**
 * Writes the templates and bundles with which all clouds of the tests start, so that no two tests write them
 * at the same time.
 */
export async function setup(): Promise<void> {
  await loadAssembly(join(import.meta.dirname, "../.ingather/build"));
}
