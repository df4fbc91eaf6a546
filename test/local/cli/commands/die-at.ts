// Loaded with --import: ends its process as kill -9 does, just before its n-th write; or sends it DIE_WITH, another signal.
// DIE_AT says which: "renameSync 3" is the third file that is completed, "run 3" the third write to the stored configuration
// or its lease.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { StatementSync } from "node:sqlite";

const [kind, nth] = (process.env.DIE_AT ?? "").split(" ");
let left = Number(nth);

function countDown(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, process.env.DIE_WITH ?? "SIGKILL");
}

const { renameSync } = fs;
const { run } = StatementSync.prototype;
if (kind === "renameSync") {
  fs.renameSync = (...args) => {
    countDown();
    renameSync(...args);
  };
  syncBuiltinESMExports();
} else
  StatementSync.prototype.run = new Proxy(run, {
    apply: (target, statement, args) => {
      if (/^item-ingather-(configuration|leases)/.test(String(args[0]))) countDown();
      return Reflect.apply(target, statement, args);
    },
  });
