import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterFile } from "../after-file.ts";
import { freePorts } from "../free-ports.ts";

const root = join(import.meta.dirname, "../..");

/** Of the demo, by state folder: the same at each start, so that the articles have the same addresses. */
const demoPorts = new Map<string, number>();

/** `npm start` as a process of its own, as a person starts it. */
export interface StartedProcess {
  process: ChildProcess;
  /** Everything it has said so far, both streams. */
  lines: string[];
  /** The first line, from now on or before, that matches; throws when the process ends without it. */
  waitForLine(pattern: RegExp): Promise<string>;
  /** The exit code; `null` when it was killed. */
  ended: Promise<number | null>;
}

export async function startProcess(stateDir: string, ...args: string[]): Promise<StartedProcess> {
  const demoPort = demoPorts.get(stateDir) ?? (await freePorts());
  demoPorts.set(stateDir, demoPort);
  const child = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(root, "local/start.ts"),
      "--state",
      stateDir,
      "--port",
      "0",
      "--demo-port",
      String(demoPort),
      ...args,
    ],
    { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, AWS_ENDPOINT_URL: "" } },
  );
  // A test that fails or runs out of time leaves none behind.
  afterFile(() => child.kill("SIGKILL"));
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      for (const watch of watchers) watch();
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  const waitForLine = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const watch = () => {
        const line = lines.find((one) => pattern.test(one));
        if (line === undefined) return;
        watchers.delete(watch);
        resolve(line);
      };
      watchers.add(watch);
      watch();
      void ended.then(() => reject(new Error(`ended without saying ${pattern}:\n${lines.join("\n")}`)));
    });
  return { process: child, lines, waitForLine, ended };
}
