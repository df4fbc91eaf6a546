import type { Preview } from "../../shared/delivery/validate/preview.ts";
import { writeMarcXml } from "../../shared/marc/marcxml-writer.ts";
import { stoppedExitCode } from "../stop-signals.ts";
import type { Command } from "./command.ts";
import { harvestFromOptions, harvestSourceOptions, harvestSourceUsage } from "./harvest-source.ts";
import { assertWritableFolder, OutcomeFiles } from "./outcome-files.ts";
import { parseArguments } from "./parse-arguments.ts";
import { isFlawless, reportLines } from "./preview-report.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather harvest URL|--config X.conf --source NAME [options]

Harvests a feed, an article page, or a configured source in one process: fetches politely, converts and validates. Writes the
valid and the online-first records as MARCXML to standard output, and a report to standard error. Nothing is stored: a repeated
harvest yields the same articles again.

${harvestSourceUsage}
  --out DIR        write valid.xml, online_first.xml, delinquent.xml, delinquent.log and report.txt to this folder instead;
                   replaces those of an earlier run
  --help           show this

Exit code: 0 every listed article became a valid record, 1 some did not, 2 wrong use, 130 stopped by Ctrl-C,
143 by SIGTERM.
`;

export const harvestCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      ...harvestSourceOptions,
      out: { type: "string" },
    });
    if (values.out !== undefined) assertWritableFolder(values.out);
    const harvested = await harvestFromOptions(positionals, values, { io });
    if (harvested === undefined) return stoppedExitCode(io.signal);
    const lines = reportLines(harvested).map(printable);
    if (values.out === undefined) {
      const good = harvested.records.filter(({ outcome }) => outcome !== "delinquent");
      io.stdout.write(writeMarcXml(good.map(({ record }) => record)));
    } else {
      writeFiles(values.out, harvested, lines);
    }
    for (const line of lines) io.stderr.write(`${line}\n`);
    return isFlawless(harvested) ? 0 : 1;
  },
};

function writeFiles(folder: string, { records }: Preview, lines: string[]): void {
  const files = new OutcomeFiles(folder);
  for (const { record, outcome, title, findings } of records) {
    files.add(record, outcome);
    files.addReasons(title, findings);
  }
  files.addText("report.txt", `${lines.join("\n")}\n`);
  files.end();
}
