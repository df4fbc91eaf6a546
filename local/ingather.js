#!/usr/bin/env -S node --max-semi-space-size=16 --initial-old-space-size=64
// Plain JavaScript, so that any Node can start it. A Node that cannot run TypeScript starts the one in node_modules.
// Most objects are short-lived: a semi-space of 16 MB is as fast as the default and saves 100 MB. Without room at the start,
// each thread would collect its old objects every tenth of a second.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { isCompiled, nodeProblem } from "./node-version.js";
import { stopWhenOrphaned } from "./orphaned.js";

const installedNode = fileURLToPath(new URL("../node_modules/.bin/node", import.meta.url));

if (process.env.INGATHER_HANDED_OVER && process.channel) {
  // The parent has ended, perhaps by kill -9. This process must not request hosts beside the next one.
  process.once("disconnect", () => process.exit(1));
  process.channel.unref();
} else {
  stopWhenOrphaned();
}

if (nodeProblem === undefined) {
  // Here, as an old Node has none.
  const { cacheCompiledModules } = await import("./compile-cache.js");
  cacheCompiledModules();
  await import(isCompiled ? "../dist/ingather.js" : "./ingather.ts");
} else if (existsSync(installedNode) && !process.env.INGATHER_HANDED_OVER) {
  handOver();
} else {
  console.error(nodeProblem);
  process.exitCode = 2;
}

function handOver() {
  const script = fileURLToPath(import.meta.url);
  const options = ["--max-semi-space-size=16", "--initial-old-space-size=64"];
  const child = spawn(installedNode, [...options, script, ...process.argv.slice(2)], {
    // The channel forwards signals to the child, and closes when this process ends.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, INGATHER_HANDED_OVER: "1" },
  });
  // The child exits cleanly, then this process. The channel keeps signals until the child listens.
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => child.connected && child.send(name));
  child.on("error", (error) => {
    console.error(error.message);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal !== null) console.error(`ingather was killed by ${signal} before it finished`);
    // The exit code of shells: 137 for SIGKILL, 134 for SIGABRT (out of memory).
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
  });
}
