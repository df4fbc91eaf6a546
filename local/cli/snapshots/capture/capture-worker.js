// Starts a worker thread of `CaptureThreads`. Threads do not inherit the compile cache, which takes off half of their start.
import { cacheCompiledModules } from "../../../compile-cache.js";

cacheCompiledModules();
await import("./serve-captures.ts");
