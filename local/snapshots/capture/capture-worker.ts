/** The start of a worker thread of `CaptureThreads`. Compiled modules are cached by each thread: it starts in half the time. */
import { extname } from "node:path";
import { cacheCompiledModules } from "../../compile-cache.ts";

// A package is compiled already.
if (extname(import.meta.filename) === ".ts") cacheCompiledModules();
await import("./serve-captures.ts");
