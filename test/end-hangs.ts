import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { hangMs } from "./time-limits.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The folder of the files, named by process, that the processes of tests write while their timers fire.
     */
    heartbeats: string;
  }
}

export const heartbeatMs = 2000;

/**
 * The number of heartbeats for which a test may block the timers of its process. A lower number is not
 * possible: on two cores that a dozen other processes use, tests of a second have blocked them for a minute.
 */
const maxSilentBeats = hangMs / heartbeatMs;

/**
 * Ends each process of tests whose timers have not fired for the maximum duration of a test, and names the
 * test.
 */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "ingather-heartbeats-"));
  provide("heartbeats", folder);
  const seen = new Map<string, { mtimeMs: number; silentBeats: number }>();
  const timer = setInterval(() => {
    for (const pid of readdirSync(folder)) {
      const file = join(folder, pid);
      if (!isAlive(Number(pid))) {
        rmSync(file, { force: true });
        continue;
      }
      const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const before = seen.get(pid);
      // Heartbeats are counted instead of time, because a machine that was suspended has no hang.
      const silentBeats = before?.mtimeMs === mtimeMs ? before.silentBeats + 1 : 0;
      seen.set(pid, { mtimeMs, silentBeats });
      if (silentBeats === maxSilentBeats) endProcess(Number(pid), file);
    }
  }, heartbeatMs).unref();
  return () => {
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function endProcess(pid: number, file: string): void {
  try {
    console.error(
      `Its timers have not fired for ${hangMs / 60_000} minutes, so its process is ended: ${readFileSync(file, "utf8")}`,
    );
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // The process has already ended.
    if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  rmSync(file, { force: true });
}
