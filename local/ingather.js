#!/usr/bin/env -S node --max-semi-space-size=16
// Plain JavaScript, so that any Node can start it: one that cannot run TypeScript hands over to the one in node_modules.
// What a job leaves behind is mostly short-lived: a small nursery is as quick, and saves 100 MB.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const installedNode = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));

if (process.features.typescript) {
  const { keepCompiled } = await import("./compile-cache.ts");
  keepCompiled();
  await import("./ingather.ts");
} else if (existsSync(installedNode) && !process.env.INGATHER_HANDED_OVER) {
  handOver();
} else {
  console.error(`ingather needs Node 22.18, 23.6, 24 or later; this is ${process.version}. Run: npm install`);
  process.exitCode = 2;
}

function handOver() {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(installedNode, ["--max-semi-space-size=16", script, ...process.argv.slice(2)], {
    stdio: "inherit",
    env: { ...process.env, INGATHER_HANDED_OVER: "1" },
  });
  // Ctrl-C reaches both: the child ends cleanly, and we after it.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  child.on("error", (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
