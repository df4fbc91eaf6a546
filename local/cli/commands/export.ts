import { InputError } from "../../../shared/core/errors.ts";
import { exportIni, selectExportable } from "../../../shared/records/sources/conf/export-ini.ts";
import { exportOmissions } from "../../../shared/records/sources/conf/export-omissions.ts";
import { configurationOf } from "../../../shared/records/sources/configuration.ts";
import { parseArguments } from "../../arguments/parse-arguments.ts";
import type { Command } from "./command.ts";
import { locationOptions, locationUsage, parseLocation, withConfiguration } from "./open-configuration.ts";
import { printable } from "./printable.ts";

const usage = `npx ingather export [options]

Writes the configuration as a zotero_harvester.conf to standard output. Importing this file again changes nothing.
Settings that the format cannot express are left out, and listed on standard error.

${locationUsage}
  --help        show this

Exit code: 0 written, 1 there is nothing to write, 2 wrong use,
4 the deployed table cannot be reached.
`;

export const exportCommand: Command = {
  usage,
  async run(args, io) {
    const { values, positionals } = parseArguments(args, locationOptions);
    if (positionals.length > 0)
      throw new InputError(
        "arguments",
        positionals.join(" "),
        "is not expected, because the command takes no arguments",
      );
    const items = await withConfiguration(parseLocation(values), { isReadOnly: true }, ({ configuration }) =>
      configuration.items(),
    );
    const configuration = selectExportable(configurationOf(items));
    for (const reason of [...configuration.leftOut, ...exportOmissions(configuration)]) {
      io.stderr.write(`left out: ${printable(reason)}\n`);
    }
    if (configuration.groups.length === 0) {
      io.stderr.write("there is nothing to export, because no configuration was imported yet\n");
      return 1;
    }
    io.stdout.write(exportIni(configuration));
    return 0;
  },
};
