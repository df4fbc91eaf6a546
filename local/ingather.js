#!/usr/bin/env -S node --max-semi-space-size=16
// Plain JavaScript, so that any Node can start it: one that cannot run TypeScript hands over to the one in node_modules.
// What a job leaves behind is mostly short-lived: a small nursery is as quick, and saves 100 MB.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { nodeProblem } from "./node-version.js";
import { stopWhenOrphaned } from "./orphaned.js";

const installedNode = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));

if (process.env.INGATHER_HANDED_OVER && process.channel) {
  // Whoever started us is gone, even by kill -9: who starts again must not meet us at the same hosts.
  process.once("disconnect", () => process.exit(1));
  process.channel.unref();
} else {
  stopWhenOrphaned();
}

if (nodeProblem === undefined) {
  const { cacheCompiledModules } = await import("./compile-cache.ts");
  cacheCompiledModules();
  await import("./ingather.ts");
} else if (existsSync(installedNode) && !process.env.INGATHER_HANDED_OVER) {
  handOver();
} else {
  console.error(nodeProblem);
  process.exitCode = 2;
}

function handOver() {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(installedNode, ["--max-semi-space-size=16", script, ...process.argv.slice(2)], {
    // The channel tells the child when we are gone, or are to stop.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, INGATHER_HANDED_OVER: "1" },
  });
  // The child ends cleanly, and we after it. What it cannot take yet waits in the channel.
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.connected && child.send(name));
  child.on("error", (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal !== null) console.error(`ingather was ended by ${signal} before it was done`);
    // As a shell tells it: 137 for SIGKILL, 134 for SIGABRT, which is out of memory.
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
  });
}
