/**
 * Measures the time until `npm start` is ready: cold (without cached templates, bundles and compiled code) and warm.
 *
 *     npx node bench/start.ts [runs]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..");
const runs = Number(process.argv[2] ?? 5);

/** Returns the milliseconds from the start of the process to its line `Ingather is up`. */
async function timeToReady(stateDir: string): Promise<number> {
  const startedAt = performance.now();
  const args = [
    "--disable-warning=ExperimentalWarning",
    "local/start.ts",
    "--state",
    stateDir,
    "--port",
    "0",
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith("Ingather is up")) return performance.now() - startedAt;
    }
    throw new Error("npm start ended before it was up");
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
  }
}

function row(name: string, times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const [min = 0, median = 0, max = 0] = [0, Math.floor(sorted.length / 2), sorted.length - 1].map(
    (at) => sorted[at],
  );
  return `${name}: median ${Math.round(median)} ms (min ${Math.round(min)}, max ${Math.round(max)}, ${times.length} runs)`;
}

const cold: number[] = [];
const warm: number[] = [];
for (let run = 0; run < runs; run += 1) {
  const stateDir = mkdtempSync(join(tmpdir(), "ingather-bench-"));
  for (const kept of ["build", "compile-cache"]) {
    rmSync(join(root, ".ingather", kept), { recursive: true, force: true });
  }
  cold.push(await timeToReady(stateDir));
  warm.push(await timeToReady(stateDir));
  rmSync(stateDir, { recursive: true, force: true });
}
console.log(row("cold", cold));
console.log(row("warm", warm));
