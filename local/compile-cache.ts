import { enableCompileCache } from "node:module";
import { join } from "node:path";

/**
 * Has Node keep what it compiles of the modules that are loaded from now on, and take what it has kept: half of a warm
 * start was that. Where the folder cannot be written nothing is kept.
 */
export function cacheCompiledModules(): void {
  enableCompileCache(join(import.meta.dirname, "../.ingather/compile-cache"));
}
