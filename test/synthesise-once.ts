import { join } from "node:path";
import { loadAssembly } from "../local/assembly.ts";

/** Makes the templates and bundles that all clouds of the tests start from, so that no two of them do it at once. */
export async function setup(): Promise<void> {
  await loadAssembly(join(import.meta.dirname, "../.ingather/build"));
}
