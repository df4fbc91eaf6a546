import { InputError } from "../../../shared/core/errors.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import { stoppedExitCode } from "../../stop-signals.ts";
import type { Command } from "./command.ts";
import { harvestFromOptions, harvestSourceOptions, harvestSourceUsage } from "./harvest-source.ts";
import { isFlawless, recordLines, reportLines } from "./preview-report.ts";
import { printable } from "./printable.ts";

const defaultItems = 5;

const usage = `npx ingather preview --config X.conf --source NAME [options]
npx ingather preview URL [options]

Shows what a source would deliver, before it is activated. Harvests its newest articles, converts and validates them,
and prints the records, the dropped articles and the findings of the validation. Nothing is stored or archived.

  --items N        harvest the N newest articles of each list (default ${defaultItems})
${harvestSourceUsage}
  --json           one JSON object: {"state", "source", "records": [{"outcome", "findings", "title", "url", "hash",
                   "warnings", "record", "page"}], "missed": [{"url", "title", "state", "reason", "page"}]}
  --help           show this

Exit code: 0 no findings, 1 findings or dropped articles, 2 wrong use, 130 stopped by Ctrl-C, 143 by SIGTERM.
`;

export const previewCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, {
      ...harvestSourceOptions,
      items: { type: "string", default: String(defaultItems) },
      json: { type: "boolean", default: false },
    });
    if (!/^[1-9]\d{0,2}$/.test(values.items)) {
      throw new InputError("--items", values.items, "must be a whole number from 1 to 999");
    }
    const newest = Number(values.items);
    const preview = await harvestFromOptions(positionals, values, { newest, io });
    if (preview === undefined) return stoppedExitCode(io.signal);
    const lines = values.json
      ? [JSON.stringify(preview)]
      : [...preview.records.flatMap(recordLines), ...reportLines(preview, values["allow-private"])].map(
          printable,
        );
    io.stdout.write(`${lines.join("\n")}\n`);
    return isFlawless(preview) ? 0 : 1;
  },
};
