import type { Preview } from "../../../shared/deliver/validate/preview.ts";
import { writeMarcXml } from "../../../shared/marc/marcxml-writer.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { Command } from "./command.ts";
import { harvestOai, harvestOaiOptions, namesOaiRepository } from "./harvest-oai.ts";
import { harvestFromOptions, harvestSourceOptions, harvestSourceUsage } from "./harvest-source.ts";
import { oaiOptionsUsage } from "./oai-options.ts";
import { assertWritableFolder } from "./out-folder.ts";
import { OutcomeFiles } from "./outcome-files.ts";
import { isFlawless, reportLines } from "./preview-report.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather harvest URL|--config X.conf --source NAME [options]
npx ingather harvest OAI-URL [--prefix P] [--set S] [--from D] [--until D] [--out DIR] [--delay MS] [--json]

Harvests a feed, an article page, the feed that a journal's home page offers, or a configured source, in one process.
Fetches with a delay per host, converts and validates. Writes the valid and the online-first records as MARCXML to
standard output, and a report to standard error. Stores no state, so a repeated harvest yields the same articles.

${harvestSourceUsage}
  --out DIR        write valid.xml, online_first.xml, delinquent.xml, delinquent.log and report.txt to this folder instead;
                   replaces those of an earlier run
  --help           show this

OAI-URL is the base URL of an OAI-PMH repository, or a whole ListRecords URL. The command lists the records unchanged,
one line per document. With --out, the same command resumes a harvest that was stopped. Without --out, the command
prints the URL with which a stopped harvest can be resumed.

  --prefix P       metadataPrefix (default oai_dc)
  --set S          only this set
  --from D         only records that changed on or after this date, such as 2026-01-31 or 2026-01-31T00:00:00Z
  --until D        only records that changed on or before this date
  --files          also download the files that dc:relation and dc:identifier name, to DIR/files (needs --out)
  --out DIR        write documents.jsonl (descriptions) and records.xml (with metadata) to this folder instead
${oaiOptionsUsage}: one object per document, then a summary

Exit code: 0 every listed article became a valid record, or the OAI-PMH list is complete; 1 otherwise; 2 wrong use,
130 stopped by Ctrl-C, 143 by SIGTERM.
`;

export const harvestCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      ...harvestSourceOptions,
      ...harvestOaiOptions,
      out: { type: "string" },
    });
    if (await namesOaiRepository(positionals, values, io)) return harvestOai(positionals, values, io);
    if (values.out !== undefined) assertWritableFolder(values.out);
    const harvested = await harvestFromOptions(positionals, values, { io });
    if (harvested === undefined) return stoppedExitCode(io.signal);
    const lines = reportLines(harvested, values["allow-private"]).map(printable);
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
