import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../shared/core/errors.ts";

/**
 * Locks the state folder for this process. Replaces the lock of a process that has ended.
 *
 * @returns a function that releases the lock
 *
 * @throws ConfigError naming the running process that holds the lock.
 */
export function lockStateDir(stateDir: string): () => void {
  const file = join(stateDir, "lock");
  if (!claim(file)) {
    const holder = readHolder(file);
    if (holder !== undefined && isAlive(holder)) {
      throw new ConfigError(
        `${stateDir} is in use by process ${holder}. Stop it first, or choose another folder. ` +
          `If that process is something else, delete ${file}.`,
      );
    }
    rmSync(file, { force: true });
    if (!claim(file)) throw new ConfigError(`${stateDir} was locked by another process at the same time`);
  }
  return () => rmSync(file, { force: true });
}

/** Creates the lock with its content atomically, so that a full disk does not leave an empty lock. */
function claim(file: string): boolean {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, String(process.pid));
    linkSync(written, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

/**
 * Returns the process that holds the lock; `undefined` if there is no lock, or the lock does not name a
 * process.
 */
function readHolder(file: string): number | undefined {
  try {
    const holder = readFileSync(file, "utf8").trim();
    return /^[1-9]\d*$/.test(holder) ? Number(holder) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Returns whether a process is running. A killed process is a zombie until its parent reaps it; a zombie
 * counts as ended.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Returns whether a process is a zombie. In the file, the state follows the name in brackets. @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // Without /proc, the result of the signal decides.
    return false;
  }
}
