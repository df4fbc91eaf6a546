import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { hangMs } from "./time-limits.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the files that the processes of tests write while their timers fire, named by process. */
    heartbeats: string;
  }
}

export const heartbeatMs = 2000;

/**
 * A test may keep its process from its timers for so many heartbeats. Not fewer: on two cores that a dozen other processes
 * use, tests of a second have kept it for a minute.
 */
const maxSilentBeats = hangMs / heartbeatMs;

/** Ends each process of tests whose timers have not fired for as long as a test may take, and says at which test that was. */
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
      // Counted, not reckoned by the clock: a machine that was asleep has no hang.
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
      `Its timers have not fired for ${hangMs / 60_000} minutes, its process is ended: ${readFileSync(file, "utf8")}`,
    );
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It has come to its end by itself.
    if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
  rmSync(file, { force: true });
}
