import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleRules } from "./marc-rules.ts";
import { isoOf, sampleRecords } from "./marc-samples.ts";

const here = import.meta.dirname;

/**
 * Converts 100,000 records from ISO 2709 to MARCXML with each program, in separate processes, from file to
 * file.
 */
export function compareWithYaz(): void {
  if (spawnSync("yaz-marcdump", ["-V"]).error) {
    console.log("ISO 2709 → MARCXML, whole process: skipped, yaz-marcdump is not installed (Debian: yaz)");
    return;
  }
  compare("ISO 2709 → MARCXML (goal ≥ 0.8)", { records: 100_000, rounds: 3 }, (input) => ({
    ours: [process.execPath, join(here, "marc-convert.ts"), input],
    "yaz-marcdump": ["yaz-marcdump", "-i", "marc", "-o", "marcxml", input],
  }));
}

const lint = `use MARC::Batch; use MARC::Lint;
my ($lint, $batch) = (MARC::Lint->new, MARC::Batch->new("USMARC", $ARGV[0]));
while (my $record = $batch->next) { $lint->check_record($record); print map { "$_\\n" } $lint->warnings }`;

/**
 * Validates 50,000 records with 100 rules by the command line, and by Perl's MARC::Lint with its own rules.
 */
export function compareWithMarcLint(): void {
  if (spawnSync("perl", ["-MMARC::Lint", "-e", "1"]).status !== 0) {
    console.log("Validation, whole process: skipped, perl has no MARC::Lint (Debian: libmarc-lint-perl)");
    return;
  }
  compare("Validation (goal ≥ 12)", { records: 50_000, rounds: 3 }, (input) => {
    const rules = join(input, "../rules.json");
    writeFileSync(rules, JSON.stringify({ rules: sampleRules }));
    return {
      ours: [
        process.execPath,
        join(here, "../local/ingather.js"),
        "validate",
        input,
        "--rules",
        rules,
        "--json",
      ],
      "MARC::Lint": ["perl", "-e", lint, input],
    };
  });
}

/** Runs two programs alternately on a file in ISO 2709. The best time of each program counts. */
function compare(
  what: string,
  { records, rounds }: { records: number; rounds: number },
  commandsFor: (input: string) => Record<string, [program: string, ...args: string[]]>,
): void {
  const folder = mkdtempSync(join(tmpdir(), "bench-marc-"));
  const input = join(folder, "in.mrc");
  writeFileSync(input, isoOf(sampleRecords(records)));
  const commands = Object.entries(commandsFor(input));
  const bestMs = commands.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, command]] of commands.entries()) {
      bestMs[index] = Math.min(bestMs[index] ?? 0, runToFile(folder, command));
    }
  }
  rmSync(folder, { recursive: true });
  const times = commands.map(([name], index) => `${name} ${Math.round(bestMs[index] ?? 0)} ms`);
  const [ours = 0, other = 0] = bestMs;
  const count = records.toLocaleString("en");
  console.log(
    `${what}, ${count} records, whole process: ${times.join(", ")}: ${(other / ours).toFixed(2)} times as fast`,
  );
}

function runToFile(folder: string, [program, ...args]: [program: string, ...args: string[]]): number {
  const output = openSync(join(folder, "out"), "w");
  const start = performance.now();
  execFileSync(program, args, { stdio: ["ignore", output, "ignore"] });
  closeSync(output);
  return performance.now() - start;
}
