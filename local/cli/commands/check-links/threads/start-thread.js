// Starts a worker thread of `LinkThreads`. Threads do not inherit the compile cache, which takes off half of their start.
import { cacheCompiledModules } from "../../../../compile-cache.js";

cacheCompiledModules();
await import("./link-thread.ts");
