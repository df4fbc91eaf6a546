// Plain JavaScript, as ingather.js is: Node's compiler of TypeScript is loaded for nothing that is in the cache.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { isCompiled } from "./node-version.js";

/** The folder of the compile cache of a clone. */
export const compileCacheOfClone = fileURLToPath(new URL("../.ingather/compile-cache", import.meta.url));

/**
 * Turns on Node's compile cache for modules that this thread loads from now on, which halves a warm start. A clone has its
 * own; an installed package uses Node's, in the folder for temporary files. Without write access, nothing is cached.
 */
export function cacheCompiledModules() {
  if (isCompiled) enableCompileCache();
  else enableCompileCache(compileCacheOfClone);
}
