/** Starts a worker thread of `LinkThreads`. Threads do not inherit the compile cache, which takes off half of their start. */
import { cacheCompiledModules } from "../../../compile-cache.ts";

if (import.meta.filename.endsWith(".ts")) cacheCompiledModules();
await import("./link-thread.ts");
