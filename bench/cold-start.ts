/**
 * Measures the cold start of each function: the time in which its module is loaded, minus that of a Node
 * process that loads nothing, and the size of its asset. The runs of the functions alternate.
 *
 *     npx node bench/cold-start.ts [runs] [name of a function …]
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { anyEnvironment } from "../infra/any-environment.ts";
import { bundleFunctions, functionFiles } from "../infra/bundle.ts";

const [runs = "7", ...wanted] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(runs)) {
  console.error(`the number of runs must be a whole number (got ${runs})`);
  process.exit(2);
}
const names = wanted.length > 0 ? wanted : [...functionFiles().keys()];

/** Returns the duration of a process that evaluates the code, in milliseconds. */
function timeOf(code: string): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    encoding: "utf8",
    env: { ...process.env, ...anyEnvironment },
  });
  if (status !== 0) throw new Error(stderr.slice(-600));
  return performance.now() - startedAt;
}

/**
 * Returns the size of an asset's code, and the size of all of its files, compressed as Lambda stores them.
 */
function sizeOf(folder: string): { code: number; compressed: number } {
  const files = readdirSync(folder).map((file) => ({ file, content: readFileSync(join(folder, file)) }));
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    code: sum(files.filter(({ file }) => file.endsWith(".mjs")).map(({ content }) => content.length)),
    compressed: sum(files.map(({ content }) => deflateRawSync(content).length)),
  };
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
const folder = mkdtempSync(join(tmpdir(), "cold-start-"));
try {
  await bundleFunctions(folder, { apart: true });
  const modules = names.map((name) => ({
    name,
    code: `await import("${pathToFileURL(join(folder, name, `${name}.mjs`))}"); process.exit(0);`,
    times: [] as number[],
  }));
  const bare: number[] = [];
  for (let run = 0; run < Number(runs); run++) {
    bare.push(timeOf("process.exit(0);"));
    for (const module of modules) module.times.push(timeOf(module.code));
  }
  console.log(`bare Node: ${median(bare).toFixed(0)} ms (${runs} runs)`);
  console.log("| function | load, ms above bare Node | code, KB | asset compressed, KB |\n|---|---|---|---|");
  for (const { name, times } of modules.toSorted((a, b) => median(b.times) - median(a.times))) {
    const { code, compressed } = sizeOf(join(folder, name));
    const kb = (bytes: number) => Math.round(bytes / 1024);
    console.log(
      `| ${name} | ${(median(times) - median(bare)).toFixed(0)} | ${kb(code)} | ${kb(compressed)} |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
