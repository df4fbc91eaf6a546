// Plain JavaScript, as ingather.js is.
import { execFile } from "node:child_process";

const pollIntervalMs = 1000;

/**
 * Sends SIGTERM to this process when the npm that started it ends. npm forwards few signals, and its shell none: the command
 * would continue to send requests unnoticed. Without npm, a process outlives its parent: a background job continues.
 */
export function stopWhenOrphaned() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  let npm = parent;
  // If there is no `ps`, only the parent is watched.
  execFile("ps", ["-o", "ppid=,comm=", "-p", String(parent)], (_error, stdout) => {
    const [, grandparent, name] = /^\s*(\d+)\s+(\S+)/.exec(stdout) ?? [];
    if (/(?:^|[/-])(?:ba|da|z|k)?sh$/.test(name ?? "")) npm = Number(grandparent);
  });
  const look = setInterval(() => {
    if (process.ppid === parent && isThere(npm)) return;
    clearInterval(look);
    process.kill(process.pid, "SIGTERM");
  }, pollIntervalMs);
  look.unref();
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
