// Plain JavaScript, as ingather.js is.
import { execFile } from "node:child_process";

const pollIntervalMs = 1000;

/**
 * Stops this process as SIGTERM does when npm has started it and is gone. npm does not hand on every signal, and none past the
 * shell that it starts commands in: the command would go on asking hosts, and nobody would know. Who starts a job without npm,
 * and leaves it to itself, wants it to go on.
 */
export function stopWhenOrphaned() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  let npm = parent;
  // Without a `ps` the parent alone is watched.
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
