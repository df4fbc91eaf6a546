import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "../../shared/core/errors.ts";

/**
 * Takes the state folder for this process; yields what gives it back. The lock of a process that is gone is taken over.
 *
 * @throws ConfigError when a living process holds it, naming that process.
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
    if (!claim(file)) throw new ConfigError(`${stateDir} was taken by another process at the same time`);
  }
  return () => rmSync(file, { force: true });
}

/** The lock appears with its holder in it, or not at all: a full disk would leave an empty one. */
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

/** `undefined` when the lock is gone, or names no process. */
function readHolder(file: string): number | undefined {
  try {
    const holder = readFileSync(file, "utf8").trim();
    return /^[1-9]\d*$/.test(holder) ? Number(holder) : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A process that was killed has its id until its parent has taken notice, but holds nothing any more. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the state stands after the name, which is in brackets */
function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    // There is no /proc on this system: the signal's answer counts.
    return false;
  }
}
